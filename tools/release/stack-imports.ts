/**
 * Compares the imports between stacks of two versions, without the stage's name. CloudFormation does not drop an export
 * in use (AWS's documents), and a deploy updates the exporting stack first. A version must therefore still have every
 * export that the previous version imports.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#infra/app.ts';
import { SERVICE } from '#shared/platform/metric-catalogue.ts';

export interface StackTemplate {
  Outputs?: Record<string, { Export?: { Name: string } }>;
}

const withoutStage = (stage: string, name: string): string => name.replace(`${SERVICE}-${stage}-`, '');

/** Returns exports as `<stack>:<export>`, sorted, without duplicates. */
export const listExports = (stage: string, templates: Iterable<StackTemplate>): string[] =>
  [...templates]
    .flatMap(({ Outputs = {} }) => Object.values(Outputs))
    .flatMap(({ Export }) => (Export === undefined ? [] : [withoutStage(stage, Export.Name)]))
    .sort();

/** Returns imports in the same form as `listExports`. */
export const listImports = (stage: string, templates: Iterable<StackTemplate>): string[] => {
  const found = JSON.stringify([...templates]).matchAll(/\{"Fn::ImportValue":"([^"]+)"\}/g);
  return [...new Set([...found].map(([, name]) => withoutStage(stage, name!)))].sort();
};

/** Stages whose settings result in different stacks. */
const FLAVOURS = [
  { stage: 'prod', hasSandbox: false },
  { stage: 'dev', hasSandbox: true },
] as const;

/** File with the imports of the latest release, as `listImports` returns them. */
export const RELEASED_IMPORTS = join(import.meta.dirname, '../released/imports.json');

const synthesize = ({ stage, hasSandbox }: (typeof FLAVOURS)[number]): StackTemplate[] => {
  const outdir = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    const { stacks } = createApp({ stage, hasSandbox, outdir, bundleDir: null, isValidated: false }).synth();
    return stacks.map(({ template }) => template as StackTemplate);
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

const synthesized = new Map<string, StackTemplate[]>();

const templatesOf = (flavour: (typeof FLAVOURS)[number]): StackTemplate[] => {
  const templates = synthesized.get(flavour.stage) ?? synthesize(flavour);
  synthesized.set(flavour.stage, templates);
  return templates;
};

/** Returns the imports of this version. */
export const currentImports = (): string[] => {
  const all = FLAVOURS.flatMap((flavour) => listImports(flavour.stage, templatesOf(flavour)));
  return [...new Set(all)].sort();
};

export const readReleasedImports = (): string[] => JSON.parse(readFileSync(RELEASED_IMPORTS, 'utf8')) as string[];

/**
 * Returns the exports that stacks of the latest release import and that this version lacks. With such an export
 * missing, the next deploy of these stacks would fail.
 */
export const findDroppedExports = (released: readonly string[] = readReleasedImports()): string[] => {
  const dropped = FLAVOURS.flatMap((flavour) => {
    const exported = listExports(flavour.stage, templatesOf(flavour));
    return released.filter((name) => !exported.includes(name) && (flavour.hasSandbox || !name.startsWith('sandbox:')));
  });
  return [...new Set(dropped)].sort();
};
