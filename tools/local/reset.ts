/**
 * `npm run reset`: deletes all stored data of the local stack and resets its clock, so that the next start begins at
 * the machine's time. Clock and data are reset together, because the times in the stored data would otherwise be in the
 * future and the newest run would look old.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FOLDER, fail } from './command-line.ts';
import { findRunner } from './data-folder.ts';

/** Folder without data, which a start builds again in half a minute; a reset does not delete it. */
const BUILT = 'cdk.out';
/** Names that a start creates first in its data folder. */
const MADE = ['format', 'clock.json', BUILT];

const pid = findRunner(DATA_FOLDER);
if (pid !== undefined) fail(`the local stack runs (process ${pid}): stop it first`);
// Without one of these names the folder was not created by a local stack, so it must not be deleted.
if (existsSync(DATA_FOLDER) && !MADE.some((name) => existsSync(join(DATA_FOLDER, name))))
  fail(`${DATA_FOLDER} is not a data folder of a local stack: nothing was removed`);
const names = existsSync(DATA_FOLDER) ? readdirSync(DATA_FOLDER).filter((name) => name !== BUILT) : [];
for (const name of names) rmSync(join(DATA_FOLDER, name), { recursive: true, force: true });
console.log(names.length === 0 ? 'nothing is stored' : `removed ${names.length} files and folders of ${DATA_FOLDER}`);
