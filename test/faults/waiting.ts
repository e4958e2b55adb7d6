/**
 * Measures the cost of waiting, in virtual time and without faults: scopes of one login at the tax authority's pace,
 * over the real handlers. Prints its figures as JSON; test/integration/faults/waiting.test.ts checks them.
 */
import type { PullContext, SourceAdapter } from '#shared/sources/source.ts';
import { virtual } from './machine/virtual-process.ts';
import { quietly, startStory } from './story.ts';

export interface Figures {
  /** Number of runs per final status. */
  statuses: Record<string, number>;
  scopes: number;
  /** Messages to the scopes' queues, and how many of them came from a handover. */
  messages: number;
  handovers: number;
  invocations: number;
  wallMs: number;
  /** Sum of the times between taking a lease and giving it back. */
  heldMs: number;
  /** Running time of the scopes' workers, which Lambda bills. */
  workedMs: number;
  /** Times of the calls to the institution, in milliseconds since the start. */
  calledMs: number[];
}

const SCOPES_OF = ['rcv', 'boletas', 'guias'] as const;
const ANSWER_MS = 400;
/** A pace without a window: only the waiting of tasks for each other counts. */
const NO_WINDOW = '2000,0,0';
const MINUTE_MS = 60_000;
const UNTIL_MS = 24 * 60 * MINUTE_MS;
const STARTS_AT = '2026-11-21T12:00:00.000Z';

const { setTimeout: sleep } = await import('node:timers/promises');
const { connect } = await import('./world/history.ts');
const { startRun } = await import('#shared/sync/start-run.ts');
const runs = await import('#shared/sync/run/run.store.ts');
const { newId } = await import('#shared/platform/ids.ts');
const { sourcePaceVariable } = await import('#shared/platform/needs.ts');
const { SCOPES } = await import('#shared/scopes/scopes.gen.ts');
const { MANIFESTS } = await import('#shared/sources/manifests.gen.ts');

const scopes = SCOPES_OF.map((name) => SCOPES.find((scope) => scope.source === 'tax' && scope.name === name)!);
const answer = { request: {}, contentType: 'application/json', body: new TextEncoder().encode('[]') };

const called: number[] = [];

/** Makes this many calls per period, at the configured pace, and returns no rows. */
const pacedAdapter = (callsPerPeriod: number): SourceAdapter => ({
  manifest: MANIFESTS.find(({ code }) => code === 'tax')!,
  loginOf: () => 'one',
  connect: async () => ({ token: 'session' }),
  disconnect: async () => {},
  pull: async (_: unknown, { ask, io }: Pick<PullContext, 'ask' | 'io'>) => {
    for (let n = 0; n < callsPerPeriod; n++)
      await ask(`part-${n}`, async () => {
        await io.turn('calls');
        called.push(virtual.nowMs);
        await sleep(ANSWER_MS);
        return answer;
      });
  },
  parse: function* () {},
});

const live = async (story: {
  connections: number;
  runsEach: number;
  periods: readonly string[];
  callsPerPeriod: number;
  pace: string;
}): Promise<Figures> => {
  process.env[sourcePaceVariable('tax')] = story.pace;
  called.length = 0;
  const figures = { messages: 0, handovers: 0, invocations: 0, heldMs: 0, workedMs: 0 };
  const taken = new Map<string, number>();
  const { machine, table, queues } = startStory(pacedAdapter(story.callsPerPeriod), STARTS_AT, (queue, tookMs) => {
    if (!queue.startsWith('sync-tax')) return;
    figures.invocations++;
    void tookMs.then((ms) => {
      figures.workedMs += ms;
    });
  });
  table.onStored = (before, after) => {
    if (after?.sk.startsWith('LEASE#') && after.expires_at_ms === 0)
      figures.heldMs += virtual.nowMs - taken.get(`${after.pk}|${after.sk}`)!;
    if (after?.sk.startsWith('LEASE#') && after.fence !== before?.fence)
      taken.set(`${after.pk}|${after.sk}`, virtual.nowMs);
    if (after?.state === 'handover' && before?.state === 'working') figures.handovers++;
  };
  const send = queues.send.bind(queues);
  queues.send = (queue, body, delaySeconds) => {
    if (queue.startsWith('sync-tax')) figures.messages++;
    return send(queue, body, delaySeconds);
  };
  const organizationId = newId();
  const startedMs = virtual.nowMs;
  const started: { connectionId: string; runId: string }[] = [];
  for (let n = 0; n < story.connections; n++) {
    const connection = await connect({ organizationId, scopes }, 'secret');
    for (let each = 0; each < story.runsEach; each++) {
      const runId = newId();
      const inputMetadata = { periods: story.periods };
      await startRun(connection, { runId, scopes: [...SCOPES_OF], inputMetadata, trigger: 'manual' });
      started.push({ connectionId: connection.id, runId });
    }
  }
  const found = () => Promise.all(started.map((run) => runs.find(organizationId, run.connectionId, run.runId)));
  let all = await found();
  while (all.some((run) => run?.finishedAt === null) && (await machine.step(startedMs + UNTIL_MS)))
    if (machine.invocations.size === 0) all = await found();
  const statuses: Record<string, number> = {};
  for (const run of all) statuses[run!.status] = (statuses[run!.status] ?? 0) + 1;
  const wallMs = Math.max(...all.map((run) => Date.parse(run!.finishedAt ?? ''))) - startedMs;
  const calledMs = called.map((atMs) => atMs - startedMs);
  return { ...figures, statuses, scopes: started.length * SCOPES_OF.length, wallMs, calledMs };
};

const MONTHS = Array.from({ length: 12 }, (_, n) => `2025-${String(n + 1).padStart(2, '0')}`);
const LATEST = ['2026-10', '2026-11'];
const TAX_PACE = Object.values(MANIFESTS.find(({ code }) => code === 'tax')!.pace).join(',');
const tell = quietly();
const told = {
  first: await live({ connections: 1, runsEach: 1, periods: MONTHS, callsPerPeriod: 19, pace: NO_WINDOW }),
  paced: await live({ connections: 1, runsEach: 1, periods: MONTHS, callsPerPeriod: 8, pace: TAX_PACE }),
  second: await live({ connections: 1, runsEach: 1, periods: LATEST, callsPerPeriod: 2, pace: NO_WINDOW }),
  backlog: await live({ connections: 5, runsEach: 20, periods: LATEST, callsPerPeriod: 2, pace: NO_WINDOW }),
};
tell(told);
