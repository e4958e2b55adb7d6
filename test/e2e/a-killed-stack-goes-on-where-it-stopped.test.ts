/** `kill -9` in the middle of a sync, three times, each at another moment, and a start on what was left behind. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMonths, santiagoPeriod } from '#shared/domain/dates.ts';
import type { PeriodTally } from '#shared/sources/tax/sandbox/ledger.ts';
import { betrayed } from '#test/helpers/e2e-canaries.ts';
import { type ChildStack, startChild } from '#test/helpers/e2e-child.ts';
import { type Row, type Run, until } from '#test/helpers/e2e-integrator.ts';
import { type Receiver, startReceiver } from '#test/helpers/e2e-receiver.ts';
import { asLedger, pick } from '#test/helpers/e2e-register.ts';
import { temporaryFolder } from '#test/helpers/e2e-stack.ts';

const CREDENTIALS = { rut: '70000002-8', password: 'clave-de-prueba' };
const MONTHS = 6;
/** The institution takes its time, so that there is a middle to be killed in. */
const LATENCY_MS = 15;
/** A lease, its margin, and the minute of the sweeper. */
const LEASES_MS = 180_000;

interface Seen {
  run: Run;
  stored: number;
}

/** Each is later than the one before: a run that gets nowhere between two kills would never meet the next. */
const MOMENTS: [string, (seen: Seen) => boolean][] = [
  ['while it downloads its first month', ({ run, stored }) => run.progress?.stage === 'downloading' && stored === 0],
  ['with some months stored', ({ stored }) => stored > 0],
  ['with more than half of them stored', ({ stored }) => stored > 500],
];

const dataFolder = temporaryFolder();
const kills: { moment: string; stored: number; status: string | null }[] = [];
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
  await doors.knobs({ latencyMs: LATENCY_MS });
  const runId = await api.sync(connectionId, periods);

  for (const [moment, isNow] of MOMENTS) {
    const seen = await until(moment, async () => {
      const [now, page] = await Promise.all([api.run(connectionId, runId), api.documents(connectionId, '?limit=1')]);
      if (now.finished_at !== null) throw new Error(`the run was over before it could be killed ${moment}`);
      const looked = { run: now, stored: Number(page.pagination.total) };
      return isNow(looked) && looked;
    });
    await kill();
    kills.push({ moment, stored: seen.stored, status: seen.run.status });
    ({ api, doors, kill } = await begin());
    await doors.knobs({ latencyMs: LATENCY_MS });
    await doors.advance(LEASES_MS);
  }
  await doors.knobs({ latencyMs: 0 });
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

test('it was killed in the middle, further on each time', () => {
  expect(kills.map(({ status }) => status)).toEqual(['running', 'running', 'running']);
  const stored = kills.map((kill) => kill.stored);
  expect(stored).toEqual(stored.toSorted((a, b) => a - b));
  expect(new Set(stored).size).toBe(MOMENTS.length);
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

test('one event is told, and the key of before still works', () => {
  expect(receiver.bodies.map((body) => JSON.parse(body).data.syncRunId)).toEqual([run.id]);
  expect(new Set(keys).size).toBe(1);
});
