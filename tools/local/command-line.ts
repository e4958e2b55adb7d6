/** What the commands of this machine have in common. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of the local stack: `DATA_DIR`, or `.local`. */
export const DATA_FOLDER = process.env.DATA_DIR || join(import.meta.dirname, '../../.local');

/** Ends the process with 2: the command was used wrongly, or what it needs is not there. */
export const fail = (message: string): never => {
  console.error(message);
  process.exit(2);
};

/** From here on this process acts as a function of the local stack. Throws where no stack was started yet. */
export const useLocalEnvironment = (): void => {
  Object.assign(process.env, JSON.parse(readFileSync(join(DATA_FOLDER, 'environment.json'), 'utf8')));
};
