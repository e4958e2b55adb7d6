/** Runs the pinned CDK command line and shows its progress to the operator. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
const COMMAND = join(ROOT, 'node_modules/aws-cdk/bin/cdk');

/** Runs the CDK with these arguments; rejects when its exit code is not 0. */
export const runCdk = async (words: string[]): Promise<void> => {
  const child = spawn(process.execPath, [COMMAND, ...words], { cwd: ROOT, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`cdk ${words[0]} ended with ${code}: fix the reported error, then run this again`);
};
