/**
 * Synthesizes the stacks after `npm ci` (tools/install/finish.cjs) and before a start, in a child process, because
 * aws-cdk-lib would otherwise stay in memory. The assembly is not in cdk.out, because `cdk destroy` and `cdk ls` rewrite
 * cdk.out with unbundled paths. The assembly is reused until the checkout has another path, which the assembly contains,
 * or one of its inputs changes: a module that the CDK app imports, as esbuild lists them, or a file that decides how
 * modules are read. The code of functions is not an input, because the bundler always writes it to the same paths.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '../..');
/** Returns the folder of the assembly. Each generation of the table has its own assembly. */
const folderOf = (generation: string | undefined): string =>
  join(ROOT, generation === undefined || generation === '1' ? '.local/cdk.out' : `.local/cdk.out-table-${generation}`);
const STAMP = 'inputs.json';
const STEP_TIMEOUT_MS = 120_000;
const ALWAYS_INPUTS = ['cdk.json', 'package.json', 'package-lock.json', 'tools/local/build.ts'];
const APP = 'tools/local/app.ts';

/** The checkout of the stored assembly, and path → SHA-256 of every input file. */
const Stamp = z.object({ root: z.string(), files: z.record(z.string(), z.string()) });
const Metafile = z.object({ inputs: z.record(z.string(), z.unknown()) });

const run = async (program: string, args: string[], environment: Record<string, string> = {}): Promise<void> => {
  try {
    const env = { ...process.env, ...environment };
    await promisify(execFile)(program, args, { cwd: ROOT, env, timeout: STEP_TIMEOUT_MS });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`${args[0]} failed:\n${stderr?.trim() || message}`);
  }
};

const sha256 = (file: string): string | undefined => {
  const path = join(ROOT, file);
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : undefined;
};

const isKept = (folder: string): boolean => {
  try {
    const { root, files } = Stamp.parse(JSON.parse(readFileSync(join(folder, STAMP), 'utf8')));
    return root === ROOT && Object.entries(files).every(([file, hash]) => sha256(file) === hash);
  } catch {
    return false; // The stamp is missing or has the format of an older version.
  }
};

const templateInputs = async (scratch: string): Promise<string[]> => {
  const metafile = join(scratch, 'modules.json');
  await run(join(ROOT, 'node_modules/.bin/esbuild'), [
    APP,
    ...['--bundle', '--packages=external', '--platform=node', '--format=esm', '--log-level=error'],
    `--outfile=${join(scratch, 'modules.mjs')}`,
    `--metafile=${metafile}`,
  ]);
  return Object.keys(Metafile.parse(JSON.parse(readFileSync(metafile, 'utf8'))).inputs);
};

/** Bundles all functions and the dashboard before tests. Throws with the child's own message when the build fails. */
export const bundleFunctions = (): Promise<void> => run(process.execPath, ['infra/bundle.ts']);

/**
 * Resolves with the assembly's folder.
 * @param onSynthesis called if an input changed since the last synthesis
 */
export const synthesizeLocalStage = async (onSynthesis?: () => void): Promise<string> => {
  const folder = folderOf(process.env.LOCAL_TABLE_GENERATION || undefined);
  if (isKept(folder)) return folder;
  onSynthesis?.();
  // The new assembly is written into a folder next to its final folder and then renamed, because asset paths are
  // relative to the folder.
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    // The inputs are hashed before the synth. If a file changes during the synth, the next start then synthesizes
    // again.
    const files = [...ALWAYS_INPUTS, ...(await templateInputs(fresh))].sort();
    const hashes = Object.fromEntries(files.map((file) => [file, sha256(file)]));
    writeFileSync(join(fresh, STAMP), JSON.stringify({ root: ROOT, files: hashes }));
    await run(process.execPath, [APP], {
      CDK_OUTDIR: fresh,
      CDK_CONTEXT_JSON: JSON.stringify({ 'aws:cdk:disable-asset-staging': true }),
    });
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
    return folder;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
};

if (import.meta.main) await synthesizeLocalStage();
