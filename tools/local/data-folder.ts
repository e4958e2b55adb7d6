/**
 * The data folder of a local stack: its lock, which only one runner holds at a time, and the secrets that must survive
 * a restart.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { readCommandLine } from './processes.ts';

const SECRET_BYTES = 32;
/** File with the key that encrypts secrets in the folder's data. */
export const KEY_FILE = 'encryption.key';
const RUNNER_FILE = 'runner.json';
const Holder = z.object({ pid: z.number().int(), command: z.string() });

/**
 * Folders that this process has locked. A lock file with the pid of this process does not show whether another stack in
 * this process holds the lock.
 */
const heldHere = new Set<string>();

const holderOf = (file: string): z.infer<typeof Holder> | undefined => {
  try {
    const holder = Holder.parse(JSON.parse(readFileSync(file, 'utf8')));
    // A killed runner leaves its lock file, and another process may have the runner's pid now. The lock is only valid
    // if the process also has the command line in the file.
    return readCommandLine(holder.pid) === holder.command ? holder : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Returns the pid of the stack that runs on the folder, even if the stack does not answer; undefined when no stack
 * runs.
 */
export const findRunner = (folder: string): number | undefined => holderOf(join(resolve(folder), RUNNER_FILE))?.pid;

/**
 * Locks the folder for this process, and returns a function that unlocks it. Throws when another runner holds the lock.
 */
export const holdDataFolder = (folder: string): (() => void) => {
  const path = resolve(folder);
  mkdirSync(path, { recursive: true });
  const file = join(path, RUNNER_FILE);
  const holder = holderOf(file);
  if (heldHere.has(path) || (holder && holder.pid !== process.pid))
    throw new Error(
      `a local stack (process ${holder?.pid ?? process.pid}) already runs on ${path}: stop it, or set DATA_DIR to another folder`,
    );
  writeFileSync(file, JSON.stringify({ pid: process.pid, command: readCommandLine(process.pid) ?? '' }));
  heldHere.add(path);
  return () => {
    heldHere.delete(path);
    rmSync(file, { force: true });
  };
};

/** Writes the whole file or nothing. Otherwise a full disk could leave an empty file for the next start. */
const writeWhole = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/**
 * Number of the folder's format, which is increased when a change makes existing folders unreadable. The data is only
 * test data, so it is not converted.
 */
const FORMAT = '7';

/** Throws a one-line error for a folder in another format. */
export const requireFormat = (folder: string): void => {
  const file = join(folder, 'format');
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  if (found === FORMAT) return;
  if (found !== null || existsSync(join(folder, KEY_FILE)))
    throw new Error(
      `${resolve(folder)} was filled by another version of this program: remove it, or set DATA_DIR to another folder`,
    );
  writeWhole(file, FORMAT);
};

/**
 * Returns a secret of 32 random bytes in base64, which is created at the first start; only the owner can read its file.
 */
export const keptSecret = (folder: string, name: string): { file: string; value: string } => {
  const file = resolve(folder, name);
  try {
    return { file, value: readFileSync(file, 'utf8').trim() };
  } catch {
    const value = randomBytes(SECRET_BYTES).toString('base64');
    writeWhole(file, value);
    return { file, value };
  }
};
