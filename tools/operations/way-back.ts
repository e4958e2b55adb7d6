/**
 * Can the assembly that was deployed last be deployed again if the next one fails, and in which order? Decided from templates
 * and CloudFormation's times before anything is deployed. Pure.
 */
import { listExports, listImports, type StackTemplate } from '#tools/release/stack-imports.ts';

export interface StoredTemplate extends StackTemplate {
  Resources?: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

/** Those on which others depend come first. */
export interface AssemblyStack {
  name: string;
  template: StoredTemplate;
}

/** Stack → when CloudFormation changed it last; null where there is no such stack. */
export type LastChanges = Readonly<Record<string, string | null>>;

export interface KeptStacks {
  stacks: readonly AssemblyStack[];
  /** The times of the stacks then; null where CloudFormation could not be asked. */
  lastChanges: LastChanges | null;
}

export interface WayBackInput {
  stage: string;
  /** What was deployed last from here; null where nothing was. */
  kept: KeptStacks | null;
  /** The times of the same stacks now. */
  deployed: LastChanges;
  next: readonly AssemblyStack[];
}

export type WayBack =
  | {
      exists: true;
      /** Stacks to be deployed one by one before all are: those that import must stop before the export may go. */
      first: string[];
      /** Stacks that the kept assembly does not know, and that stay. */
      stay: string[];
    }
  | {
      exists: false;
      why: string;
      /** Is the kept assembly what is deployed? Whatever changes its stacks now is us. */
      isDeployed: boolean;
    };

/** What holds what is nowhere else, and the property by which it may be named. */
const HOLDERS: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::KMS::Key': '',
  'AWS::Scheduler::ScheduleGroup': 'Name',
};

const holdersIn = (stacks: readonly AssemblyStack[]): string[] =>
  stacks.flatMap(({ name, template: { Resources = {} } }) =>
    Object.entries(Resources)
      .filter(([, { Type }]) => Type in HOLDERS)
      .map(([id, { Type, Properties = {} }]) => {
        const own = Properties[HOLDERS[Type]!];
        return `${name}/${id}${typeof own === 'string' ? ` (${own})` : ''}`;
      }),
  );

const without = (all: readonly string[], these: readonly string[]): string[] =>
  all.filter((each) => !these.includes(each));

const templatesOf = (stacks: readonly AssemblyStack[]): StoredTemplate[] => stacks.map(({ template }) => template);

const holderFault = (kept: readonly AssemblyStack[], next: readonly AssemblyStack[]): string | undefined => {
  const [before, after] = [holdersIn(kept), holdersIn(next)];
  // A stack that the next one leaves out stays as it is.
  const known = before.filter((holder) => next.some(({ name }) => holder.startsWith(`${name}/`)));
  const added = without(after, before);
  const gone = without(known, after);
  if (added.length + gone.length === 0) return undefined;
  const told = [...added.map((holder) => `${holder} comes`), ...gone.map((holder) => `${holder} goes`)];
  return `it changes what holds data (${told.join(', ')}), and to take that back could delete them`;
};

/**
 * A deploy goes from those that export to those that import. Where the next assembly imports what the kept one does not export,
 * the way back begins at the other end: CloudFormation drops no export that somebody imports (AWS's documents).
 */
const orderOf = (
  stage: string,
  kept: readonly AssemblyStack[],
  next: readonly AssemblyStack[],
): { first: string[] } | { why: string } => {
  const names = kept.map(({ name }) => name);
  const [exported, exportedNext] = [kept, next].map((stacks) => listExports(stage, templatesOf(stacks))) as [
    string[],
    string[],
  ];
  const missingIn = (stacks: readonly AssemblyStack[]): string[] =>
    without(listImports(stage, templatesOf(stacks)), exported);
  const newStacks = next.filter(({ name }) => !names.includes(name));
  const held = missingIn(newStacks);
  if (held.length > 0)
    return { why: `a new stack imports what the kept assembly does not export (${held.join(', ')})` };
  if (missingIn(next).length === 0) return { first: [] };
  const lost = without(listImports(stage, templatesOf(kept)), exportedNext);
  if (lost.length > 0) return { why: `each assembly imports what the other does not export (${lost.join(', ')})` };
  return { first: names.toReversed() };
};

export const findWayBack = ({ stage, kept, deployed, next }: WayBackInput): WayBack => {
  if (kept === null) return { exists: false, why: 'nothing was deployed from here before', isDeployed: false };
  const { lastChanges } = kept;
  if (lastChanges === null)
    return {
      exists: false,
      why: 'after the last deploy from here nobody could read what it changed',
      isDeployed: false,
    };
  const changed = Object.keys(lastChanges).filter((stack) => lastChanges[stack] !== deployed[stack]);
  if (changed.length > 0)
    return {
      exists: false,
      why: `since the last deploy from here somebody else changed ${changed.join(', ')}, or that deploy was cut off`,
      isDeployed: false,
    };
  const fault = holderFault(kept.stacks, next);
  if (fault !== undefined) return { exists: false, why: fault, isDeployed: true };
  const found = orderOf(stage, kept.stacks, next);
  if ('why' in found) return { exists: false, why: found.why, isDeployed: true };
  const names = kept.stacks.map(({ name }) => name);
  const stay = without(
    next.map(({ name }) => name),
    names,
  );
  return { exists: true, first: found.first, stay };
};
