/** The fuzzer's own Python environment: made once, made again when what it should hold changes. */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.venv-fuzz');
const WANTED = join(import.meta.dirname, 'requirements.txt');
const HELD = join(FOLDER, 'requirements.txt');
const INSTALL_TIMEOUT_MS = 300_000;

const isReady = (): boolean => existsSync(HELD) && readFileSync(HELD, 'utf8') === readFileSync(WANTED, 'utf8');

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

/** Path of the fuzzer, or why there is none: no Python, no way to the package index. */
export const fuzzer = async (): Promise<{ program: string; reason?: never } | { program?: never; reason: string }> => {
  const program = join(FOLDER, 'bin/schemathesis');
  if (isReady()) return { program };
  try {
    rmSync(FOLDER, { recursive: true, force: true });
    await step('Python 3.10 or later with venv is needed', 'python3', ['-m', 'venv', FOLDER]);
    const quiet = ['--quiet', '--disable-pip-version-check', '--retries', '1'];
    await step('PyPI cannot be reached, or has not what is needed', join(FOLDER, 'bin/pip'), [
      'install',
      ...quiet,
      '-r',
      WANTED,
    ]);
    copyFileSync(WANTED, HELD);
    return { program };
  } catch (error) {
    if (error instanceof CannotInstall) return { reason: error.message };
    throw error;
  }
};
