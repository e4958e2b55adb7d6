/**
 * Installs npm programs that only one check in `tools/proofs` needs and that `npm ci` does not install. They are
 * installed at the first use, and again when the lock file of the check changes.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '#tools/clients/run-program.ts';

/**
 * Matches npm's output when the registry cannot be reached. In this case the check is skipped; any other failure of npm
 * is an error.
 */
const UNREACHABLE = /\b(?:EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/** The path of the installed `node_modules`, or the reason why nothing is installed. */
export type InstalledProof = { packages: string; reason?: never } | { packages?: never; reason: string };

/** @param name name of the check's folder in `tools/proofs`, which has a `package.json` and a lock file */
export const installedProof = async (name: string): Promise<InstalledProof> => {
  const cwd = join(import.meta.dirname, name);
  const packages = join(cwd, 'node_modules');
  const lock = readFileSync(join(cwd, 'package-lock.json'), 'utf8');
  const installedLock = join(packages, '.installed-lock.json');
  if (existsSync(installedLock) && readFileSync(installedLock, 'utf8') === lock) return { packages };
  try {
    await runProgram({
      program: 'npm',
      args: ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1'],
      cwd,
    });
  } catch (error) {
    const { message } = error as Error;
    if (!UNREACHABLE.test(message)) throw error;
    return { reason: `the npm registry cannot be reached: ${message.split('\n').at(-1)}` };
  }
  writeFileSync(installedLock, lock);
  return { packages };
};
