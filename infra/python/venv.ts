/** Python programs in environments of their own: made once, made again when what they should hold changes. */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const INSTALL_TIMEOUT_MS = 300_000;

/** What a stranger needs to know of a failed step: its last words. */
class CannotInstall extends Error {
  constructor(step: string, cause: unknown) {
    const { stderr = '', message } = cause as Error & { stderr?: string };
    super(`${step}: ${(stderr.trim() || message).split('\n').at(-1)}`);
    this.name = 'CannotInstall';
  }
}

const step = async (name: string, program: string, args: string[]): Promise<void> => {
  try {
    await promisify(execFile)(program, args, { timeout: INSTALL_TIMEOUT_MS });
  } catch (error) {
    throw new CannotInstall(name, error);
  }
};

/** Folder of the programs, or why there is none: no Python, no way to the package index. */
export type Installed = { programs: string; reason?: never } | { programs?: never; reason: string };

/** @param name of the folder in the repository's root; @param requirements path of a file that pins every package */
export const installed = async (name: string, requirements: string): Promise<Installed> => {
  const folder = join(ROOT, name);
  const held = join(folder, 'requirements.txt');
  const programs = join(folder, 'bin');
  if (existsSync(held) && readFileSync(held, 'utf8') === readFileSync(requirements, 'utf8')) return { programs };
  try {
    rmSync(folder, { recursive: true, force: true });
    await step('Python 3.10 or later with venv is needed', 'python3', ['-m', 'venv', folder]);
    const quiet = ['--quiet', '--disable-pip-version-check', '--retries', '1'];
    const install = ['install', ...quiet, '-r', requirements];
    await step('PyPI cannot be reached, or has not what is needed', join(programs, 'pip'), install);
    copyFileSync(requirements, held);
    return { programs };
  } catch (error) {
    if (error instanceof CannotInstall) return { reason: error.message };
    throw error;
  }
};

/** Folder of the programs. Ends the process with 0 and a line `skipped: …` where they cannot be had. */
export const installedOrSkipped = async (name: string, requirements: string): Promise<string> => {
  const { programs, reason } = await installed(name, requirements);
  if (programs !== undefined) return programs;
  console.log(`skipped: ${reason}`);
  process.exit(0);
};
