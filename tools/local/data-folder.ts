/** The data folder: one runner at a time, and the secrets that must outlive a restart. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { readCommandLine } from './processes.ts';

const SECRET_BYTES = 32;
/** Of what is encrypted in the folder. */
export const KEY_FILE = 'encryption.key';
const RUNNER_FILE = 'runner.json';
const Holder = z.object({ pid: z.number().int(), command: z.string() });

/** Of this process: a second stack in it would find its own pid in the file. */
const heldHere = new Set<string>();

const holderOf = (file: string): z.infer<typeof Holder> | undefined => {
  try {
    const holder = Holder.parse(JSON.parse(readFileSync(file, 'utf8')));
    // A killed runner leaves its file behind, and its pid may be somebody else's by now.
    return readCommandLine(holder.pid) === holder.command ? holder : undefined;
  } catch {
    return undefined;
  }
};

/** Pid of the stack that runs on the folder, answering or not; undefined where none does. */
export const findRunner = (folder: string): number | undefined => holderOf(join(resolve(folder), RUNNER_FILE))?.pid;

/** Takes the folder for this process; the result lets it go. Throws when another runner has it. */
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

/** Or not at all: a full disk would leave an empty file, which the next start would read. */
const writeWhole = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/** Counted up when what lies in the folder cannot be read any more: nobody's data, so that nothing is converted. */
const FORMAT = '7';

/** Throws, in one line, for a folder that was filled in another form. */
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

/** 32 random bytes, base64, made at the first start; readable by the owner alone. */
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
