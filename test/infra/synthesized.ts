/**
 * Templates of a stage, synthesized without bundles. The test files of a worker share them, so no test may change one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, stackName } from '#infra/app.ts';
import { STAGE_NAMES as KNOWN_STAGES, type Stage } from '#infra/stages.ts';

// biome-ignore lint/suspicious/noExplicitAny: a template is arbitrary JSON.
export type Json = any;

export interface Resource {
  stack: string;
  logicalId: string;
  type: string;
  properties: Record<string, Json>;
  deletionPolicy: string | undefined;
}

export interface Template {
  Resources: Record<
    string,
    {
      Type: string;
      Properties?: Record<string, Json>;
      DeletionPolicy?: string;
      UpdateReplacePolicy?: string;
      DependsOn?: string[];
    }
  >;
  Outputs?: Record<string, { Value: Json; Export?: { Name: string } }>;
}

/** The stages of `stages.ts`, and a copy of `dev` with the longest allowed name. */
export const STAGE_NAMES = [...KNOWN_STAGES, 'twelveletter'] as const;
export const STACKS = ['data', 'sync', 'api', 'api-control', 'api-data', 'monitoring', 'agents'] as const;

export interface SynthesizedStack {
  name: string;
  template: Template;
  /** Names of the stacks that must be deployed first. */
  dependencies: string[];
  messages: { level: string; text: string }[];
  terminationProtection: boolean;
}

type Options = Pick<Parameters<typeof createApp>[0] & object, 'stage' | 'hasSandbox' | 'isSweeperOff'>;

const memory = new Map<string, readonly SynthesizedStack[]>();

/** Every stack that the options deploy. One synthesis takes about 1 s, so equal options share it. */
export const stacksOf = (options: Options): readonly SynthesizedStack[] => {
  const whole = { hasSandbox: false, ...options };
  // The context of the command line also decides.
  const key = JSON.stringify([whole, process.env.CDK_CONTEXT_JSON]);
  const known = memory.get(key);
  if (known !== undefined) return known;
  const outdir = mkdtempSync(join(tmpdir(), 'synth-'));
  const { stackTraceLimit } = Error;
  // The CDK notes a stack trace for every construct, which takes a fifth of the time.
  Error.stackTraceLimit = 1;
  try {
    const stacks = createApp({ ...whole, outdir, bundleDir: null, isValidated: false })
      .synth()
      .stacks.map((stack) => ({
        name: stack.stackName,
        template: stack.template as Template,
        dependencies: stack.dependencies.map(({ id }) => id),
        messages: stack.messages.map(({ level, entry }) => ({ level, text: String(entry.data) })),
        terminationProtection: stack.terminationProtection ?? false,
      }));
    memory.set(key, stacks);
    return stacks;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    rmSync(outdir, { recursive: true });
  }
};

/** The stack with this full name. */
export const stackOf = (options: Options, name: string): SynthesizedStack => {
  const found = stacksOf(options).find((stack) => stack.name === name);
  if (found === undefined) throw new Error(`no stack is called ${name}`);
  return found;
};

/** Stack (one of `STACKS`) → template. The local stage is not monitored. */
export const templatesOf = (stage: string): ReadonlyMap<string, Template> =>
  new Map(
    STACKS.filter((stack) => stack !== 'monitoring' || stage !== 'local').map(
      (stack) => [stack, stackOf({ stage, hasSandbox: false }, stackName(stage, stack)).template] as const,
    ),
  );

export const resourcesOf = (stage: string): Resource[] =>
  [...templatesOf(stage)].flatMap(([stack, { Resources }]) =>
    Object.entries(Resources).map(([logicalId, { Type, Properties, DeletionPolicy }]) => ({
      stack,
      logicalId,
      type: Type,
      properties: Properties ?? {},
      deletionPolicy: DeletionPolicy,
    })),
  );

export const ofType = (stage: string, type: string): Resource[] =>
  resourcesOf(stage).filter((resource) => resource.type === type);

/** Stack's name → template, for every stack that the stage deploys. */
export const everyTemplateOf = (stage: string | Stage, hasSandbox: boolean): ReadonlyMap<string, Template> =>
  new Map(stacksOf({ stage, hasSandbox }).map(({ name, template }) => [name, template]));

const templateOfDev = (stack: 'sandbox' | 'web') => (): Template =>
  stackOf({ stage: 'dev', hasSandbox: true }, stackName('dev', stack)).template;

/** The simulated institutions of `dev`, which are deployed on request. */
export const sandboxTemplate = templateOfDev('sandbox');

/** The dashboard: of the service it contains only the address of the API. */
export const webTemplate = templateOfDev('web');

/** The function of a manifest entry, by its description, which is its id. */
export const functionResource = (stage: string, functionId: string): Resource => {
  const found = ofType(stage, 'AWS::Lambda::Function').filter(
    ({ properties }) => properties.Description === functionId,
  );
  if (found.length !== 1) throw new Error(`${found.length} functions are described as ${functionId}`);
  return found[0]!;
};

/** Resolves an export of a stack: `Fn::ImportValue` → the exported value. */
export const imported = (stage: string, value: Json): Json => {
  const name = value?.['Fn::ImportValue'];
  if (name === undefined) return value;
  for (const { Outputs } of templatesOf(stage).values()) {
    for (const output of Object.values(Outputs ?? {})) {
      if (`${output.Export?.Name}` === name) return output.Value;
    }
  }
  throw new Error(`nothing exports ${name}`);
};

/** Replaces ARNs, which are known only at deploy, with logical ids. */
export const plainArn = (stage: string, value: Json): string => {
  if (typeof value === 'string') return value;
  const [[kind, of]] = Object.entries<Json>(value) as [[string, Json]];
  if (kind === 'Fn::ImportValue') return plainArn(stage, imported(stage, value));
  if (kind === 'Fn::GetAtt') return of.join('.');
  if (kind === 'Fn::Join') return of[1].map((part: Json) => plainArn(stage, part)).join(of[0]);
  return kind === 'Ref' ? of : JSON.stringify(value);
};
