/** Five runs at once, one of every source, and what must be true of them at the end, after any interruption. */
import { expect } from 'vitest';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { addMonths, santiagoDay, santiagoPeriod } from '#shared/values/dates.ts';
import type { ChildStack } from '#test/helpers/e2e-child.ts';
import { type Run, until } from '#test/helpers/e2e-integrator.ts';
import type { Random } from '#test/helpers/random.ts';
import type { Receiver } from '#test/integration/webhooks/receiver.ts';
import { readRows } from '#tools/local/demo/every-source.ts';
import { connect, readScopes } from '#tools/local/demo/steps.ts';
import { compare, formatCompared, isEqual, type Ledger, summedFields } from '#tools/local/demo/totals.ts';

/** No story takes longer, with all its jumps over leases, back-offs and retries of webhooks. */
const STORY_MS_MAX = 6 * 3_600_000;
/** The interval of the sweeper. */
const MINUTE_MS = 60_000;

interface Connected {
  source: string;
  connectionId: string;
  /** Whether any of its scopes has periods. */
  hasMonths: boolean;
}

export interface Started extends Connected {
  runId: string;
}

/** The registers change at midnight in Santiago, so no story may run across midnight. */
export const leaveEvening = async ({ doors }: ChildStack): Promise<void> => {
  const nowMs = await doors.nowMs();
  if (santiagoDay(nowMs) !== santiagoDay(nowMs + STORY_MS_MAX)) await doors.advance(STORY_MS_MAX);
};

/**
 * A connection to every source, with one or two of its scopes: over the stories all scopes are used, and fewer
 * functions start cold.
 */
export const connectAll = async ({ api, file }: ChildStack, random: Random): Promise<Connected[]> => {
  const sources: { code: string; supported_scopes: string[] }[] = await api.get('/external-sources');
  return Promise.all(
    sources
      .filter(({ code }) => code in file.sandbox)
      .map(async ({ code: source, supported_scopes }) => {
        const scopes = new Set([random.pick(supported_scopes), random.pick(supported_scopes)]);
        const hasMonths = SCOPES.some((scope) => scope.source === source && scopes.has(scope.name) && scope.periodic);
        return { source, hasMonths, connectionId: await connect(file, source, [...scopes]) };
      }),
  );
};

/** A closed month: short, and the same before and after a jump. Scopes without periods are read completely. */
const periodsAt = (nowMs: number): string[] => [addMonths(santiagoPeriod(nowMs), -1)];

export const startAll = async ({ api, doors }: ChildStack, connections: readonly Connected[]): Promise<Started[]> => {
  const periods = periodsAt(await doors.nowMs());
  return Promise.all(
    connections.map(async (each) => ({
      ...each,
      runId: await api.sync(each.connectionId, each.hasMonths ? periods : undefined),
    })),
  );
};

export const runsOf = ({ api }: ChildStack, started: readonly Started[]): Promise<Run[]> =>
  Promise.all(started.map(({ connectionId, runId }) => api.run(connectionId, runId)));

/** All runs after their end; time jumps whenever the stack is idle. */
export const endOfAll = (stack: ChildStack, started: readonly Started[]): Promise<Run[]> =>
  until(
    'the end of all runs',
    async () => {
      const runs = await runsOf(stack, started);
      return runs.every((run) => run.finished_at !== null) && runs;
    },
    stack.doors.jump,
  );

/**
 * Compares rows with the institution's ledger, scope by scope. Returns the number of rows in scopes that belong to the
 * connection.
 */
const expectLedger = async ({ file }: ChildStack, { source, connectionId }: Started, run: Run): Promise<number> => {
  const { ledger_url, metadata } = file.sandbox[source]!;
  const ledger = (await (await fetch(ledger_url)).json()) as Ledger;
  const codigos = (metadata.codigos ?? []) as string[];
  let count = 0;
  const scopes = await readScopes(file, connectionId);
  expect(scopes.map(({ name }) => name).toSorted()).toEqual(run.scope_outcomes.map(({ scope }) => scope).toSorted());
  for (const data of scopes) {
    const { name: scope, data_url } = data;
    const held = ledger[scope];
    expect(held, `the ledger of ${source} speaks of ${scope}`).toBeDefined();
    const rows = await readRows(file, data, codigos, summedFields(held!));
    const outcome = run.scope_outcomes.find((each) => each.scope === scope);
    const compared = compare(rows, held!, outcome?.period == null ? null : outcome.periods);
    const unequal = compared
      .filter((each) => !isEqual(each))
      .map((each) => `${source}.${scope} ${formatCompared(each)}`);
    expect(unequal).toEqual([]);
    // For a tender's parts `id` is not the key, because other tenders have the same numbers.
    if (data_url !== null) expect(new Set(rows.map(({ id }) => id)).size, `${source}.${scope}`).toBe(rows.length);
    count += rows.length;
  }
  return count;
};

/** Ended `succeeded`, every scope `ok`, exactly the ledger's rows, each created once. */
export const expectRight = async (stack: ChildStack, started: readonly Started[], runs: readonly Run[]) => {
  let all = 0;
  for (const [n, each] of started.entries()) {
    const run = runs[n]!;
    const outcomes = run.scope_outcomes.map(({ scope, status, error_code }) => [scope, status, error_code]);
    expect([each.source, run.status, run.error_code, outcomes]).toEqual([
      each.source,
      'succeeded',
      null,
      outcomes.map(([scope]) => [scope, 'ok', null]),
    ]);
    const rows = await expectLedger(stack, each, run);
    all += rows;
    // Tenders belong to the organization: an earlier story has created them.
    if (each.source === 'procurement') continue;
    expect([each.source, run.records_found, run.records_created, run.records_updated]).toEqual([
      each.source,
      rows,
      rows,
      0,
    ]);
  }
  expect(all).toBeGreaterThan(0);
};

interface Told {
  id: string;
  status: string;
  attempts: number;
}

/** One delivery of each run, under one id, delivered; never more requests received than recorded. */
export const expectTold = async (
  { api, doors }: ChildStack,
  endpointId: string,
  receiver: Receiver,
  started: readonly Started[],
): Promise<void> => {
  const attemptsOf = (runId: string): string[] =>
    receiver.received
      .filter(({ body }) => body.toString('utf8').includes(runId))
      .map(({ headers }) => String(headers['webhook-id']));
  await until(
    'the end of all deliveries',
    async () => {
      const deliveries: Told[] = await api.get(`/webhooks/${endpointId}/deliveries?limit=200`);
      const areOver = deliveries.every(({ status }) => status === 'delivered' || status === 'failed');
      return areOver && started.every(({ runId }) => attemptsOf(runId).length > 0);
    },
    () => doors.walk(MINUTE_MS),
  );
  const deliveries: Told[] = await api.get(`/webhooks/${endpointId}/deliveries?limit=200`);
  for (const { source, runId } of started) {
    const ids = attemptsOf(runId);
    expect(new Set(ids).size, `one delivery of the run of ${source}`).toBe(1);
    const delivery = deliveries.find(({ id }) => id === ids[0]);
    expect(delivery).toMatchObject({ status: 'delivered' });
    expect(ids.length).toBeLessThanOrEqual(delivery!.attempts);
  }
};
