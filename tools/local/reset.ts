/**
 * `npm run reset`: removes what the local stack stored, its clock with it, so that the next start begins anew at the time of
 * the machine. The clock alone never goes back: what is stored would lie in the future, and the newest run would be an old one.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FOLDER, fail } from './command-line.ts';
import { findRunner } from './data-folder.ts';

/** What a start builds anew in half a minute, and which is nobody's data. */
const BUILT = 'cdk.out';
/** What a start leaves in its data folder before anything else. */
const MADE = ['format', 'clock.json', BUILT];

const pid = findRunner(DATA_FOLDER);
if (pid !== undefined) fail(`the local stack runs (process ${pid}): stop it first`);
// A folder that no stack filled is somebody else's.
if (existsSync(DATA_FOLDER) && !MADE.some((name) => existsSync(join(DATA_FOLDER, name))))
  fail(`${DATA_FOLDER} is no data folder of a local stack: nothing was removed`);
const names = existsSync(DATA_FOLDER) ? readdirSync(DATA_FOLDER).filter((name) => name !== BUILT) : [];
for (const name of names) rmSync(join(DATA_FOLDER, name), { recursive: true, force: true });
console.log(names.length === 0 ? 'nothing is stored' : `removed ${names.length} files and folders of ${DATA_FOLDER}`);
