/** Templates of a stage, synthesized once per test file without bundling. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, stackName } from '#infra/app.ts';
import { STAGE_NAMES as KNOWN_STAGES, type Stage } from '#infra/stages.ts';
import { lazy } from '#shared/platform/lazy.ts';

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
  Resources: Record<string, { Type: string; Properties?: Record<string, Json>; DeletionPolicy?: string }>;
  Outputs?: Record<string, { Value: Json; Export?: { Name: string } }>;
}

/** Those of the file, and one that copies `dev` under the longest name there may be. */
export const STAGE_NAMES = [...KNOWN_STAGES, 'twelveletter'] as const;
export const STACKS = ['data', 'sync', 'api', 'api-control', 'api-data', 'monitoring', 'agents'] as const;

const memory = new Map<string, ReadonlyMap<string, Template>>();

/** Stack (one of `STACKS`) → template. The local stage is not monitored. */
export const templatesOf = (stage: string): ReadonlyMap<string, Template> => {
  const known = memory.get(stage);
  if (known !== undefined) return known;
  const outdir = mkdtempSync(join(tmpdir(), 'synth-'));
  const assembly = createApp({ stage, outdir, bundleDir: null, isValidated: false }).synth();
  const templates = new Map(
    STACKS.filter((stack) => stack !== 'monitoring' || stage !== 'local').map(
      (stack) => [stack, assembly.getStackByName(stackName(stage, stack)).template as Template] as const,
    ),
  );
  rmSync(outdir, { recursive: true });
  memory.set(stage, templates);
  return templates;
};

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

/** Stack's name → template, of every stack that the stage deploys. */
export const everyTemplateOf = (stage: string | Stage, hasSandbox: boolean): ReadonlyMap<string, Template> => {
  const outdir = mkdtempSync(join(tmpdir(), 'synth-'));
  const { stacks } = createApp({ stage, hasSandbox, outdir, bundleDir: null, isValidated: false }).synth();
  // A template is read when it is asked for.
  const templates = new Map(stacks.map(({ stackName: name, template }) => [name, template as Template]));
  rmSync(outdir, { recursive: true });
  return templates;
};

const stackOfDev = (stack: 'sandbox' | 'web'): (() => Template) =>
  lazy(() => {
    const outdir = mkdtempSync(join(tmpdir(), 'synth-'));
    const assembly = createApp({ stage: 'dev', hasSandbox: true, outdir, bundleDir: null, isValidated: false }).synth();
    const template = assembly.getStackByName(stackName('dev', stack)).template as Template;
    rmSync(outdir, { recursive: true });
    return template;
  });

/** The simulated institutions of `dev`, which are deployed to it when asked for. */
export const sandboxTemplate = stackOfDev('sandbox');

/** The dashboard: it has nothing of the service's but the address of its API. */
export const webTemplate = stackOfDev('web');

/** The function of a manifest entry, by its description, which is its id. */
export const functionResource = (stage: string, functionId: string): Resource => {
  const found = ofType(stage, 'AWS::Lambda::Function').filter(
    ({ properties }) => properties.Description === functionId,
  );
  if (found.length !== 1) throw new Error(`${found.length} functions are described as ${functionId}`);
  return found[0]!;
};

/** What an export name of a stack stands for: `Fn::ImportValue` → the exported value. */
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

/** Logical ids in place of ARNs, which are known at deploy alone. */
export const plainArn = (stage: string, value: Json): string => {
  if (typeof value === 'string') return value;
  const [[kind, of]] = Object.entries<Json>(value) as [[string, Json]];
  if (kind === 'Fn::ImportValue') return plainArn(stage, imported(stage, value));
  if (kind === 'Fn::GetAtt') return of.join('.');
  if (kind === 'Fn::Join') return of[1].map((part: Json) => plainArn(stage, part)).join(of[0]);
  return kind === 'Ref' ? of : JSON.stringify(value);
};
