/** The recording of `npm run examples`: response bodies by operation id, event bodies by type. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const RECORDED = join(import.meta.dirname, 'recorded.gen.json');

export const readRecorded = (): Record<string, unknown> =>
  existsSync(RECORDED) ? (JSON.parse(readFileSync(RECORDED, 'utf8')) as Record<string, unknown>) : {};
