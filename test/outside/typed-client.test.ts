/** docs/examples as in its README: a separate program that knows only addresses and credentials. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';

const EXAMPLE = join(import.meta.dirname, '../../docs/examples/main.ts');
const run = promisify(execFile);

// The receiver compares timestamps with the machine's clock, as receivers do.
const stage = useStack({}, async () => {});
let periods: string[];
/** First word of a line → the rest of the line. */
let told: Map<string, string[][]>;

const settings = (): Record<string, string> => {
  const { api, api_key, session, sandbox } = stage.api.file;
  const { rut, password } = sandbox.tax!.credentials as { rut: string; password: string };
  return { API: api, KEY: api_key, SESSION: session, RUT: rut, PASSWORD: password };
};

beforeAll(async () => {
  const current = santiagoPeriod(await stage.doors.nowMs());
  periods = [addMonths(current, -1), addMonths(current, -2)];
  const environment = { ...process.env, ...settings(), PERIODS: periods.join(',') };
  const { stdout } = await run(process.execPath, [EXAMPLE], { env: environment });
  const lines = stdout.trim().split('\n');
  told = Map.groupBy(
    lines.map((line) => line.split(' ')),
    ([word = '']) => word,
  );
});

test('connects, synchronizes and reads every page', async () => {
  const [[, id = ''] = []] = told.get('connection')!;
  const counts = told.get('documents')!.map(([, ...words]) => words);
  const wanted = await Promise.all(
    periods.flatMap((period) =>
      ['received', 'issued'].map(async (direction) => {
        const page = await stage.api.documents(id, `?period=${period}&direction=${direction}&limit=1`);
        return [period, direction, String(page.pagination.total)];
      }),
    ),
  );
  expect(counts.toSorted()).toEqual(wanted.toSorted());
  const total = counts.reduce((sum, [, , count]) => sum + Number(count), 0);
  // More than one page, because with one page the loop would prove nothing.
  expect(total).toBeGreaterThan(200);
  expect(told.get('run')).toEqual([['run', expect.any(String), 'succeeded', String(total)]]);
});

test('verifies the webhook of its run, and leaves no endpoint behind', async () => {
  const [[, runId] = []] = told.get('run')!;
  expect(told.get('verified')).toEqual([['verified', 'sync.succeeded', runId]]);
  expect(await stage.api.get('/webhooks')).toEqual([]);
});

// The time of a deployed stack cannot be moved.
test.skipIf(process.env.STACK_FILE)('where the clock is ahead the example ends with the reason', async () => {
  await stage.doors.advance(3_600_000);
  const environment = { ...process.env, ...settings(), PERIODS: periods[0]! };
  const failed = await run(process.execPath, [EXAMPLE], { env: environment }).catch((error) => error);
  expect([failed.code, failed.stderr]).toEqual([
    1,
    expect.stringMatching(/the event of run .+ was refused: .+too new/),
  ]);
  expect(await stage.api.get('/webhooks')).toEqual([]);
});

test('a refused credential ends it with the code, and without the credential', async () => {
  const environment = { ...process.env, ...settings(), KEY: 'svc_sk_wrong' };
  const failed = await run(process.execPath, [EXAMPLE], { env: environment }).catch((error) => error);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('Refused: 401 unauthorized');
  expect(failed.stderr).not.toContain('svc_sk_wrong');
});
