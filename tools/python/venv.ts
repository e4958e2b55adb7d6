/** Installs Python programs into separate environments, at the first use and again when the requirements change. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const INSTALL = join(import.meta.dirname, 'install.py');
const INSTALL_TIMEOUT_MS = 300_000;

/**
 * The folder of the installed programs, or the reason why they are not installed: Python is missing, or the package
 * index is unreachable.
 */
export type Installed = { programs: string; reason?: never } | { programs?: never; reason: string };

/**
 * Installs the programs if necessary.
 * @param name name of the folder in the repository's root
 * @param requirements path of a file that pins every package
 */
export const installed = async (name: string, requirements: string): Promise<Installed> => {
  const folder = resolve(ROOT, name);
  const programs = join(folder, 'bin');
  const held = join(folder, 'requirements.txt');
  if (existsSync(held) && readFileSync(held, 'utf8') === readFileSync(requirements, 'utf8')) return { programs };
  try {
    await promisify(execFile)('python3', [INSTALL, folder, requirements], { timeout: INSTALL_TIMEOUT_MS });
    return { programs };
  } catch (error) {
    // `stderr` is the output of the program that failed: pip, or the shell that did not find Python.
    const { stderr = '', message } = error as Error & { stderr?: string };
    const told =
      stderr
        .trim()
        .split('\n')
        .findLast((line) => /^(ERROR|[\w.]*Error):/.test(line)) ?? message.split('\n').at(-1);
    return { reason: `Python 3.10 or later with venv, and PyPI, are needed: ${told}` };
  }
};

/**
 * Resolves with the folder of the programs. If they cannot be installed, prints a line `skipped: …` and ends the
 * process with exit code 0.
 */
export const installedOrSkipped = async (name: string, requirements: string): Promise<string> => {
  const { programs, reason } = await installed(name, requirements);
  if (programs !== undefined) return programs;
  console.log(`skipped: ${reason}`);
  process.exit(0);
};
