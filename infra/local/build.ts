/**
 * Bundle and synth before a start, in child processes: aws-cdk-lib and esbuild would otherwise stay in memory. The
 * assembly has a folder of its own (`cdk destroy` and `cdk ls` rewrite cdk.out with unbundled paths) and is kept while
 * nothing that goes into a template changed; code is not part of it, because assets stay where the bundler puts them.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const STEP_TIMEOUT_MS = 120_000;

/** What a template is made of: infra, and the contracts and manifests with whatever they import. */
const TEMPLATE_INPUTS = [
  'package-lock.json',
  'cdk.json',
  'infra/**/*.ts',
  'functions/**/contract.ts',
  'shared/**/*.ts',
];
const NOT_TEMPLATE_INPUTS = [/^infra\/local\//, /\/sandbox\//, /\.test\.ts$/];

const run = async (script: string, environment: Record<string, string> = {}): Promise<void> => {
  try {
    await promisify(execFile)(process.execPath, [join(ROOT, script)], {
      cwd: ROOT,
      env: { ...process.env, ...environment },
      timeout: STEP_TIMEOUT_MS,
    });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`${script} failed:\n${stderr?.trim() || message}`);
  }
};

const templateHash = (): string => {
  const hash = createHash('sha256').update(process.version);
  const files = globSync(TEMPLATE_INPUTS, { cwd: ROOT }).filter(
    (file) => !NOT_TEMPLATE_INPUTS.some((not) => not.test(file)),
  );
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
};

/** Throws with the child's own words when a step fails. */
export const bundleFunctions = (): Promise<void> => run('infra/bundle.ts');

/** The bundles must be there. Resolves with the assembly's folder. */
export const synthesizeLocalStage = async (): Promise<string> => {
  const folder = join(ROOT, '.local/cdk.out');
  const stamp = join(folder, 'inputs.sha256');
  const wanted = templateHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  // Beside the final folder: asset paths are relative to it.
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  await run('infra/app.ts', {
    CDK_OUTDIR: fresh,
    CDK_CONTEXT_JSON: JSON.stringify({ stage: 'local', 'aws:cdk:disable-asset-staging': true }),
  });
  writeFileSync(join(fresh, 'inputs.sha256'), wanted);
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return folder;
};
