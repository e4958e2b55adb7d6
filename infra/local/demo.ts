/**
 * `npm run demo`: connects the sandbox's tax authority, synchronizes, and prints documents and sums by month beside the
 * institution's own ledger. `npm run demo -- --all`: every source with all its scopes, at the same time. Uses the stack
 * that runs, or starts one for as long as it takes. Ends with 1 when anything differs.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { demoEverySource } from './demo/every-source.ts';
import { demoMainJob } from './demo/main-job.ts';
import { withStack } from './demo/with-stack.ts';

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });
const dataFolder = process.env.DATA_DIR || join(import.meta.dirname, '../../.local');

const faults = await withStack(dataFolder, values.all ? demoEverySource : demoMainJob);
if (faults.length > 0) console.error(faults.join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;
