/**
 * What stacks take from each other, without the stage's name. CloudFormation refuses to drop an export that somebody still
 * imports (AWS's documents), and a deploy changes the exporting stack first: the exports of a version must cover what the
 * version before imports.
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

/** `<stack>:<export>`, each once, sorted. */
export const exportsOf = (stage: string, templates: Iterable<StackTemplate>): string[] =>
  [...templates]
    .flatMap(({ Outputs = {} }) => Object.values(Outputs))
    .flatMap(({ Export }) => (Export === undefined ? [] : [withoutStage(stage, Export.Name)]))
    .sort();

/** As `exportsOf` names them. */
export const importsOf = (stage: string, templates: Iterable<StackTemplate>): string[] => {
  const found = JSON.stringify([...templates]).matchAll(/\{"Fn::ImportValue":"([^"]+)"\}/g);
  return [...new Set([...found].map(([, name]) => withoutStage(stage, name!)))].sort();
};

/** Stages that differ in their stacks. */
const FLAVOURS = [
  { stage: 'prod', hasSandbox: false },
  { stage: 'dev', hasSandbox: true },
] as const;

/** The imports of the latest release: names as `importsOf` gives them. */
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

/** The imports of this version. */
export const currentImports = (): string[] => {
  const all = FLAVOURS.flatMap((flavour) => importsOf(flavour.stage, templatesOf(flavour)));
  return [...new Set(all)].sort();
};

export const readReleasedImports = (): string[] => JSON.parse(readFileSync(RELEASED_IMPORTS, 'utf8')) as string[];

/** What stages of the latest release import and this version does not export: their next deploy would not get past it. */
export const findDroppedExports = (released: readonly string[] = readReleasedImports()): string[] => {
  const dropped = FLAVOURS.flatMap((flavour) => {
    const exported = exportsOf(flavour.stage, templatesOf(flavour));
    return released.filter((name) => !exported.includes(name) && (flavour.hasSandbox || !name.startsWith('sandbox:')));
  });
  return [...new Set(dropped)].sort();
};
