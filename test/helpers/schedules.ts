/** The schedule endpoint and a Scheduler that can fail, in process over a real table; the test controls time. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { contract } from '#functions/api/connections/set-schedule/contract.ts';
import { handler } from '#functions/api/connections/set-schedule/handler.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { delaySeconds, scheduleName } from '#shared/connections/schedule.rules.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type FakeScheduler, fakeScheduler } from '#test/fakes/scheduler.ts';
import { type Credential, callersOf } from './callers.ts';
import { type ConnectionApi, connectionApi } from './connection-api.ts';
import { call } from './http.ts';
import { useKeyFile } from './key-file.ts';
import { useSharedSecretIssuer } from './sessions.ts';

export const OURS = '11111111-1111-4111-8111-111111111111';
export const AT = Date.parse('2026-11-05T12:00:00.000Z');
export const HOUR_MS = 3_600_000;
export const hourly = { enabled: true, frequency_minutes: 60 };

interface ScheduleWorld {
  api: ConnectionApi;
  scheduler: FakeScheduler;
  callers: Awaited<ReturnType<typeof callersOf>>;
  clockMs: number;
}

/** Reset before each test. */
export const world = { clockMs: AT } as ScheduleWorld;

/** Call at the top of a test file. */
export const useSchedules = (): void => {
  let testTable: EngineTable;
  let keyFile: { remove(): void };
  beforeAll(async () => {
    testTable = await startEngineTable();
    keyFile = useKeyFile();
    useSharedSecretIssuer();
    process.env.QUEUE_URL_PREFIX = 'http://127.0.0.1:1/';
    process.env.AWS_ENDPOINT_URL_SQS = 'http://127.0.0.1:1';
    plantClock(() => world.clockMs);
  });
  beforeEach(async () => {
    // No schedule of the previous test may be due in this one.
    const { pk, prefix } = keys.connections(OURS);
    await table.batchWrite({ removes: [...(await table.query(pk, { prefix })), keys.scheduleComparison()] });
    world.clockMs = AT;
    world.callers = await callersOf(OURS);
    world.api = connectionApi(world.callers.session);
    world.scheduler = fakeScheduler();
  });
  afterEach(() => world.scheduler.restore());
  afterAll(async () => {
    plantClock(undefined);
    keyFile.remove();
    await testTable.stop();
  });
};

export const put = (id: string, body: unknown, who: Credential = world.callers.key) =>
  call(contract, handler, { ...who, params: { id }, body });
export const created = async (): Promise<string> => (await world.api.create()).body.id;
export const stored = async (id: string) => (await connections.find(OURS, id))!;
export const item = async (id: string) => (await table.get(keys.connection(OURS, id)))!;
/** A time on the beat, and the delay of the connection. */
export const firing = (id: string, beat: string | number): string =>
  new Date(new Date(beat).getTime() + delaySeconds(id) * 1_000).toISOString();
/** What Scheduler holds for the connection. */
export const held = (id: string) => world.scheduler.held.get(scheduleName(OURS, id));
export const revisionHeld = (id: string) => JSON.parse(held(id)?.Target?.Input ?? '{}').revision;
