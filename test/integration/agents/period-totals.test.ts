/** Totals of a month that is being written, is too large, has no rows, or has all its rows in one facet. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantClock } from '#shared/platform/clock.ts';
import { markDirty } from '#shared/rows/index/page-index.store.ts';
import { sumReadRows } from '#shared/rows/read/sum-rows.store.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { connectAgent, useAgentOrigin } from '#test/helpers/agent-client.ts';
import { type Agent, agentOf } from '#test/helpers/agent-questions.ts';
import { type AgentWorld, createAgentWorld } from '#test/helpers/agent-world.ts';
import { keyOf } from '#test/helpers/callers.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';

const PERIOD = '2026-10';
const OTHER = '2026-09';
const ROWS_MAX = 20_000;

let server: EngineTable;
let world: AgentWorld;
let agent: Agent;

beforeAll(async () => {
  server = await startEngineTable();
  useAgentOrigin();
  world = await createAgentWorld(10);
  agent = agentOf(await connectAgent((await keyOf(world.organizationId)).token, '2026-07-28'));
});
afterAll(async () => {
  plantClock(undefined);
  await server.stop();
});

const rcv = () => world.scopes.get('tax.rcv')!;
const totals = (more: object = {}) => agent.ask('period_totals', { ...world.of(taxRcv), period: PERIOD, ...more });

test('a month without rows has no groups and no sums', async () => {
  expect(await totals({ period: '2020-01' })).toMatchObject({ rows: 0, groups: [], net: [] });
});

test('filters read only what they name; any other is refused with the list of filters', async () => {
  const all = await totals();
  const issued = await totals({ filters: { direction: 'issued' } });
  expect(issued.groups).toEqual(
    all.groups.filter(({ group }: { group: { direction: string } }) => group.direction === 'issued'),
  );
  expect(issued.rows).toBeLessThan(all.rows);
  for (const filters of [{ direction: 'sold' }, { document_type: '33' }])
    await expect(totals({ filters })).rejects.toThrow('direction (received, issued) and estado (registro');
});

test('while rows of the month are written nothing is added up, and the agent must come again', async () => {
  const { address, lease } = rcv();
  await markDirty(address, OTHER, lease);
  await expect(totals({ period: OTHER })).rejects.toThrow(/connection_sync_in_progress.*again in a minute/);
  expect((await totals()).rows).toBeGreaterThan(0);
  await rcv().sync(OTHER, [ROW_MAKERS['tax.rcv']!(randomFrom(7), OTHER, 999)]);
  expect((await totals({ period: OTHER })).rows).toBeGreaterThan(0);
});

test('more rows than are added up at once: the agent must narrow the filter, and a part of them is added up', async () => {
  const { connection_id: connectionId } = world.of(taxRcv);
  const make = ROW_MAKERS['tax.rcv']!;
  const rows = Array.from({ length: ROWS_MAX + 1 }, (_, n) => ({
    ...make(randomFrom(n), '2026-11', n),
    direction: n % 2 === 0 ? 'issued' : 'received',
    estado: 'registro',
    total_amount: '1',
  }));
  await rcv().sync('2026-11', rows);
  const address = { organizationId: world.organizationId, connectionId, scope: 'rcv' };
  const sum = (facets: object) => {
    const filter = { period: '2026-11', facets: { ...facets }, days: { from: null, to: null } };
    return sumReadRows({ address, scope: taxRcv, filter });
  };
  await expect(sum({})).rejects.toThrow('too many rows');
  await expect(totals({ period: '2026-11' })).rejects.toThrow(/more than 20000: narrow it/);
  const issued = await sum({ direction: 'issued', estado: 'registro' });
  expect(issued.reduce((sum, group) => sum + group.rows, 0)).toBeGreaterThanOrEqual(ROWS_MAX / 2);
}, 120_000);
