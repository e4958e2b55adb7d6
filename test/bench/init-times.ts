/**
 * `node test/bench/init-times.ts`: line 10. How long every function's bundle takes from the start of its process to its
 * handler, in turns with an empty function. The median minus that of the empty function counts. `--rounds 5`. Ends with
 * 1 above the limit.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BUNDLE_DIR } from '#infra/app.ts';
import { bundle } from '#infra/bundle.ts';
import { FUNCTIONS, type FunctionManifest, variantScope } from '#infra/manifest.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { atMost, conclude, median, spread } from './report.ts';

const OVER_EMPTY_MS_MAX = 120;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);

/** CPU time of the process until the handler is loaded, in ms: waiting on a busy machine does not count. */
const LOAD = `
  const { handler } = await import(process.argv[1]);
  if (typeof handler !== 'function') process.exit(1);
  const { user, system } = process.cpuUsage();
  console.log((user + system) / 1000);
`;

const initMs = (file: string, fn?: FunctionManifest): number => {
  const variant = fn?.kind === 'worker' ? fn.variant : null;
  const environment = {
    AWS_REGION: 'us-east-1',
    ...(variant ? { [VARIABLES.scope]: variantScope(variant) } : {}),
  };
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', LOAD, file], { env: environment }));
};

await bundle();
const folder = mkdtempSync(join(tmpdir(), 'init-'));
const empty = join(folder, 'empty.mjs');
writeFileSync(empty, 'export const handler = async () => {};\n');

const emptyMs: number[] = [];
const over = new Map<string, number[]>(FUNCTIONS.map(({ functionId }) => [functionId, []]));
for (let round = 0; round < rounds; round++)
  for (const fn of FUNCTIONS) {
    // Each is compared with an empty function measured at the same moment.
    const floor = initMs(empty);
    emptyMs.push(floor);
    over.get(fn.functionId)!.push(initMs(join(BUNDLE_DIR, fn.functionId, 'index.mjs'), fn) - floor);
  }
rmSync(folder, { recursive: true });

const results = [...over].map(([functionId, ms]) => ({ functionId, overEmptyMs: Math.round(median(ms)) }));
results.sort((a, b) => a.overEmptyMs - b.overEmptyMs);
for (const { functionId } of results)
  console.log(`${functionId.padEnd(36)} ${spread(over.get(functionId)!, 0)} ms over`);
const middle = median(results.map(({ overEmptyMs }) => overEmptyMs));
console.log(`\nempty          ${spread(emptyMs, 0)} ms`);
conclude(
  'init-times',
  [atMost(10, 'start of a function over an empty one, ms, median of all', { value: middle, limit: OVER_EMPTY_MS_MAX })],
  { rounds, emptyMs: median(emptyMs), functions: results },
);
