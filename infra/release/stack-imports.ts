/**
 * What stacks take from each other, without the stage's name. CloudFormation refuses to drop an export that somebody still
 * imports (AWS's documents), and a deploy changes the exporting stack first: the exports of a version must cover what the
 * version before imports.
 */
import { mkdtempSync, rmSync } from 'node:fs';
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

/** The imports of this version. */
export const currentImports = (): string[] => {
  const outdir = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    const all = FLAVOURS.flatMap(({ stage, hasSandbox }) => {
      const options = { stage, hasSandbox, outdir: join(outdir, stage), bundleDir: null, isValidated: false };
      const { stacks } = createApp(options).synth();
      return importsOf(
        stage,
        stacks.map(({ template }) => template as StackTemplate),
      );
    });
    return [...new Set(all)].sort();
  } finally {
    rmSync(outdir, { recursive: true });
  }
};
