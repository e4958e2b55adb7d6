/**
 * Outages of an institution in virtual time: hourly schedules over two hours of a morning, and connections that people
 * create within ten minutes of an outage. Prints the results as JSON; test/integration/faults/outages.test.ts checks
 * them.
 */
import { type PullContext, type SourceAdapter, SourceError } from '#shared/sources/source.ts';
import { virtual } from './machine/virtual-process.ts';
import { quietly, type StoryWorld, startStory } from './story.ts';

export interface Synced {
  /** Status of each connection. */
  status: string[];
  /** Milliseconds from the end of the outage to the first run that succeeded after it; null if no run did. */
  afterMs: (number | null)[];
  /** How each connection's first run ended. */
  first: string[];
  /** Requests with the password that met the outage: the maximum in one run, and the total. */
  failedInRunMax: number;
  failed: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const { connect } = await import('./world/history.ts');
const { startRun } = await import('#shared/sync/start-run.ts');
const connections = await import('#shared/connections/connection.store.ts');
const runs = await import('#shared/sync/run/run.store.ts');
const { newId } = await import('#shared/platform/ids.ts');
const { SCOPES } = await import('#shared/scopes/scopes.gen.ts');
const { MANIFESTS } = await import('#shared/sources/manifests.gen.ts');
const { contextFields } = await import('#shared/platform/log-context.ts');

const NAMES = ['rcv', 'boletas'];
const scopes = NAMES.map((name) => SCOPES.find((scope) => scope.source === 'tax' && scope.name === name)!);
const manifest = MANIFESTS.find(({ code }) => code === 'tax')!;
type Connected = Awaited<ReturnType<typeof connect>>;

/** Answers to a login that an institution may give during an outage. */
const FAULTS: Readonly<Record<string, () => SourceError>> = {
  'HTTP 503': () => new SourceError('source.unavailable', 'HTTP 503'),
  'an unknown page': () => new SourceError('source.unexpected_response', 'neither a session nor a known refusal'),
  'an unknown HTTP 403': () => new SourceError('source.blocked', 'HTTP 403'),
  maintenance: () => new SourceError('source.maintenance', 'down for maintenance'),
  'no connection': () => new SourceError('source.unavailable', 'connection failed', { isUnsent: true }),
};

const institution = (fault: () => SourceError, outage: { fromMs: number; untilMs: number }) => {
  const failed = new Map<string, number>();
  const mayBeOut = (): void => {
    if (virtual.nowMs >= outage.fromMs && virtual.nowMs < outage.untilMs) throw fault();
  };
  const adapter = {
    manifest,
    loginOf: () => 'one',
    connect: async (_: unknown, io: { login: (request: () => Promise<object>) => Promise<object> }) =>
      io.login(async () => {
        const run = String(contextFields().run_id);
        failed.set(run, (failed.get(run) ?? 0) + 1);
        mayBeOut();
        failed.set(run, failed.get(run)! - 1);
        return { token: 'session' };
      }),
    disconnect: async () => {},
    pull: async (_: unknown, { ask }: Pick<PullContext, 'ask'>) => {
      mayBeOut();
      await ask('part-1', async () => ({
        request: {},
        contentType: 'application/json',
        body: new TextEncoder().encode('[]'),
      }));
    },
    parse: function* () {},
  } as unknown as SourceAdapter;
  return { adapter, failed };
};

const everyHour = ({ machine, queues }: StoryWorld, connection: Connected, firstMs: number): void => {
  machine.at(firstMs, () => {
    const { organizationId, id } = connection;
    const scheduledAt = new Date(virtual.nowMs).toISOString();
    const firing = { kind: 'scheduled', organizationId, connectionId: id, revision: 1, scheduledAt };
    queues.send('sync-requests', JSON.stringify(firing), 0);
    everyHour({ machine, queues } as StoryWorld, connection, firstMs + HOUR_MS);
  });
};

const syncNow = async (connection: Connected): Promise<void> => {
  await startRun(connection, { runId: newId(), scopes: NAMES, inputMetadata: {}, trigger: 'manual' });
};

const until = async ({ machine }: StoryWorld, ms: number): Promise<void> => {
  while (virtual.nowMs < ms && (await machine.step(ms)));
  virtual.nowMs = Math.max(virtual.nowMs, ms);
};

const judge = async (made: readonly Connected[], failed: Map<string, number>, outOverMs: number): Promise<Synced> => {
  const synced: Synced = { status: [], afterMs: [], first: [], failedInRunMax: 0, failed: 0 };
  for (const { organizationId, id } of made) {
    const all = await runs.listNewest(organizationId, id, 100);
    const ended = all
      .filter(({ status, finishedAt }) => status === 'succeeded' && Date.parse(finishedAt ?? '') >= outOverMs)
      .map(({ finishedAt }) => Date.parse(finishedAt!) - outOverMs);
    synced.status.push((await connections.find(organizationId, id))!.status);
    synced.afterMs.push(ended.length > 0 ? Math.min(...ended) : null);
    synced.first.push(all.at(-1)!.status);
  }
  synced.failedInRunMax = Math.max(...failed.values());
  synced.failed = [...failed.values()].reduce((sum, count) => sum + count, 0);
  return synced;
};

/**
 * Six connections, two of them with the same login, at different minutes of the hour. All were synchronized before the
 * outage.
 */
const morning = async (fault: () => SourceError): Promise<Synced> => {
  const outage = { fromMs: Date.parse('2026-11-23T08:00-03:00'), untilMs: Date.parse('2026-11-23T10:00-03:00') };
  const { adapter, failed } = institution(fault, outage);
  const world = startStory(adapter, '2026-11-23T06:00-03:00');
  const pair = newId();
  const made: Connected[] = [];
  for (const organizationId of [pair, pair, newId(), newId(), newId(), newId()]) {
    const connection = await connect({ organizationId, scopes }, 'secret');
    await syncNow(connection);
    everyHour(world, connection, virtual.nowMs + HOUR_MS + made.length * 11 * MINUTE_MS);
    made.push(connection);
  }
  await until(world, Date.parse('2026-11-23T12:00-03:00'));
  return judge(made, failed, outage.untilMs);
};

/** A person connects in each minute of the outage, once with two companies at a time, and synchronizes at once. */
const newcomers = async (fault: () => SourceError): Promise<Synced> => {
  const outage = { fromMs: Date.parse('2026-11-23T08:00-03:00'), untilMs: Date.parse('2026-11-23T08:10-03:00') };
  const { adapter, failed } = institution(fault, outage);
  const world = startStory(adapter, '2026-11-23T08:00-03:00');
  const made: Connected[] = [];
  for (let minute = 0; minute < 10; minute++) {
    const organizationId = newId();
    for (let companies = minute === 5 ? 2 : 1; companies > 0; companies--) {
      const connection = await connect({ organizationId, scopes }, 'secret');
      await syncNow(connection);
      everyHour(world, connection, virtual.nowMs + HOUR_MS);
      made.push(connection);
    }
    await until(world, virtual.nowMs + MINUTE_MS);
  }
  await until(world, outage.untilMs + 65 * MINUTE_MS);
  return judge(made, failed, outage.untilMs);
};

const tell = quietly();
const told: Record<'morning' | 'newcomers', Record<string, Synced>> = { morning: {}, newcomers: {} };
/** Names of `FAULTS`; if empty, all of them. */
const wanted = process.argv.slice(2);
for (const [name, fault] of Object.entries(FAULTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  told.morning[name] = await morning(fault);
  told.newcomers[name] = await newcomers(fault);
}
tell(told);
