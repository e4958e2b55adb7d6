/** Common parts of the local commands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Data folder of the local stack: `DATA_DIR`, or `.local`. */
export const DATA_FOLDER = process.env.DATA_DIR || join(import.meta.dirname, '../../.local');

/**
 * Prints the message and ends the process with exit code 2, which means that the command was used wrongly or that
 * something is missing that it needs.
 */
export const fail = (message: string): never => {
  console.error(message);
  process.exit(2);
};

/** Sets the environment of the local stack's functions for this process. Throws when no stack has been started yet. */
export const useLocalEnvironment = (): void => {
  Object.assign(process.env, JSON.parse(readFileSync(join(DATA_FOLDER, 'environment.json'), 'utf8')));
};
