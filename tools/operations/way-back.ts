/**
 * Decides before a deploy whether the stage can be rolled back to the last assembly if the deploy fails, and in which
 * order. The decision depends only on templates and on the times of CloudFormation's changes.
 */
import { listExports, listImports, type StackTemplate } from '#tools/release/stack-imports.ts';

export interface StoredTemplate extends StackTemplate {
  Resources?: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

/** Stacks in order of dependency: a stack comes after the stacks that it needs. */
export interface AssemblyStack {
  name: string;
  template: StoredTemplate;
}

/** Stack → time of CloudFormation's last change; null when the stack does not exist. */
export type LastChanges = Readonly<Record<string, string | null>>;

export interface KeptStacks {
  stacks: readonly AssemblyStack[];
  /**
   * The times at which CloudFormation last changed the stacks, read after the last deploy; null when CloudFormation was
   * unreachable.
   */
  lastChanges: LastChanges | null;
}

export interface WayBackInput {
  stage: string;
  /** The last deploy from this machine; null when there was none. */
  kept: KeptStacks | null;
  /** The times at which CloudFormation last changed the stored assembly's stacks, read before this deploy. */
  deployed: LastChanges;
  next: readonly AssemblyStack[];
}

export type WayBack =
  | {
      exists: true;
      /**
       * Stacks that the rollback deploys one by one before all other stacks, because a stack must stop importing before
       * the export can be removed.
       */
      first: string[];
      /** Stacks of the next assembly that the stored assembly does not contain; the rollback does not remove them. */
      stay: string[];
    }
  | {
      exists: false;
      why: string;
      /**
       * True if the stage runs the stored assembly before this deploy. Any later change was then made by this deploy.
       */
      isDeployed: boolean;
    };

/** Types of resources with data that exists nowhere else → property that may contain the resource's name. */
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
  // A stack that the next assembly omits is not changed by the deploy, so its resources need no check.
  const known = before.filter((holder) => next.some(({ name }) => holder.startsWith(`${name}/`)));
  const added = without(after, before);
  const gone = without(known, after);
  if (added.length + gone.length === 0) return undefined;
  const told = [...added.map((holder) => `${holder} comes`), ...gone.map((holder) => `${holder} goes`)];
  return `it changes what holds data (${told.join(', ')}), and to take that back could delete them`;
};

/**
 * Returns the stacks that the rollback must deploy first, or the reason why it is impossible. A deploy updates
 * exporting stacks before importing stacks. If the next assembly imports something that the stored assembly does not
 * export, the rollback uses the reverse order, because CloudFormation refuses to drop an export in use (AWS's
 * documents).
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
      why: 'after the last deploy from here its changes could not be read',
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
