/**
 * Runs cfn-lint on the templates of a stage without simulated institutions, of a stage with them, and on the template of
 * the deployer.
 */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApp } from '#infra/app.ts';

const ROOT = join(import.meta.dirname, '../..');
const FLAVOURS = [
  { stage: 'prod', hasSandbox: false },
  { stage: 'dev', hasSandbox: true },
];

/** Resolves with the number of checked templates; rejects with cfn-lint's findings. */
export const lintTemplates = async (programs: string, folder: string): Promise<number> => {
  const outdir = join(folder, 'templates');
  for (const flavour of FLAVOURS)
    createApp({ ...flavour, outdir: join(outdir, flavour.stage), bundleDir: null, isValidated: false }).synth();
  const templates = [
    join(ROOT, 'docs/ci/deployer.yml'),
    ...globSync('*/*.template.json', { cwd: outdir }).map((file) => join(outdir, file)),
  ];
  try {
    // The working directory is the repository's root, because cfn-lint looks for `.cfnlintrc` there.
    await promisify(execFile)(join(programs, 'cfn-lint'), templates, { cwd: ROOT });
  } catch (error) {
    throw new Error(`cfn-lint found:\n${(error as { stdout?: string }).stdout}`);
  }
  return templates.length;
};
