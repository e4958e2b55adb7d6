/** `kill -9` in the middle of a sync, and a start on the remaining data. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PeriodTally } from '#shared/sources/tax/sandbox/ledger.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { betrayed } from '#test/helpers/e2e-canaries.ts';
import { type ChildStack, startChild, temporaryFolder } from '#test/helpers/e2e-child.ts';
import { type Row, type Run, until } from '#test/helpers/e2e-integrator.ts';
import { type Receiver, startReceiver } from '#test/helpers/e2e-receiver.ts';
import { asLedger, pick } from '#test/helpers/e2e-register.ts';

const CREDENTIALS = { rut: '70000002-8', password: 'clave-de-prueba' };
const MONTHS = 6;
/** A lease, its margin, and the minute of the sweeper. */
const LEASES_MS = 180_000;

/**
 * Number of stored months at each kill: the institution delays the documents of the next month. There is one kill,
 * because the institution of a local stack forgets its sessions with it, and a run makes at most two logins.
 */
const MOMENTS = [3];

const dataFolder = temporaryFolder();
const kills: { stored: number; run: Run }[] = [];
let receiver: Receiver;
let stack: ChildStack | undefined;
let keys: string[];
let run: Run;
let rows: Row[];
let ledger: Record<string, PeriodTally | undefined>;
let periods: string[];

const begin = async (): Promise<ChildStack> => {
  stack = await startChild(dataFolder);
  keys.push(stack.file.api_key);
  return stack;
};

beforeAll(async () => {
  keys = [];
  receiver = await startReceiver();
  let { api, doors, kill } = await begin();
  await api.subscribe(receiver.url);
  const connectionId = await api.connect(CREDENTIALS);
  const current = santiagoPeriod(await doors.nowMs());
  periods = Array.from({ length: MONTHS }, (_, n) => addMonths(current, -n));
  const holdMonth = (month: number) => doors.hold(`"ptributario":"${periods.toReversed()[month]!.replace('-', '')}"`);
  await holdMonth(MOMENTS[0]!);
  const runId = await api.sync(connectionId, periods);

  for (const [number, month] of MOMENTS.entries()) {
    // No work continues before the dead worker's lease is over.
    if (number > 0) {
      await holdMonth(month);
      await doors.advance(LEASES_MS);
    }
    await doors.held();
    const page = await api.documents(connectionId, '?limit=1');
    kills.push({ stored: Number(page.pagination.total), run: await api.run(connectionId, runId) });
    await kill();
    ({ api, doors, kill } = await begin());
  }
  await doors.advance(LEASES_MS);
  run = await api.finished(connectionId, runId, doors.jump);
  rows = await api.allDocuments(connectionId);
  ledger = pick(await doors.ledger(CREDENTIALS.rut), periods);
  await until('the webhook', async () => receiver.bodies.length > 0);
  await doors.walk(LEASES_MS);
});

afterAll(async () => {
  await stack?.end();
  await receiver.close();
  const betrayals = stack ? betrayed(dataFolder, stack.api, []) : [];
  rmSync(dataFolder, { recursive: true, force: true });
  expect(betrayals).toEqual([]);
});

test('it was killed in the middle', () => {
  expect(kills.map((kill) => kill.run)).toMatchObject(MOMENTS.map(() => ({ status: 'running', finished_at: null })));
  const count = (months: number): number =>
    periods.slice(MONTHS - months).reduce((sum, period) => sum + (ledger[period]?.count ?? 0), 0);
  expect(kills.map(({ stored }) => stored)).toEqual(MOMENTS.map(count));
  expect(count(MOMENTS[0]!)).toBeGreaterThan(0);
});

test('the run ends succeeded, and counts every document as created once', () => {
  const count = periods.reduce((sum, period) => sum + (ledger[period]?.count ?? 0), 0);
  expect(run).toMatchObject({
    status: 'succeeded',
    error_code: null,
    records_found: count,
    records_created: count,
    records_updated: 0,
  });
  expect(run.scope_outcomes).toMatchObject([{ status: 'ok', periods: periods.toReversed() }]);
});

test('rows are the ledger’s: none doubled, none missing', () => {
  expect(asLedger(rows, periods)).toEqual(ledger);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(rows).toHaveLength(run.records_found ?? -1);
});

test('one event is sent, and the earlier key still works', () => {
  expect(receiver.bodies.map((body) => JSON.parse(body).data.syncRunId)).toEqual([run.id]);
  expect(new Set(keys).size).toBe(1);
});
