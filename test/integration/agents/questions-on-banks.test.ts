/**
 * Questions of an accountant about banks, and about missing data before a month is closed: a scripted agent answers
 * them only with the tools, and the answers are compared with the ledgers of the simulated institutions.
 */
import { Big } from 'big.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AccountantWorld, CLOSED, OPEN, PERIODS, startAccountantWorld } from '#test/helpers/accountant-world.ts';
import type { Structured } from '#test/helpers/agent-client.ts';
import type { Agent } from '#test/helpers/agent-questions.ts';
import { STAGE_TIMEOUT_MS } from '../sources/stage.ts';

const BANKS = ['bankone', 'banktwo', 'bankthree'] as const;

let world: AccountantWorld;
let agent: Agent;

beforeAll(async () => {
  world = await startAccountantWorld({
    connected: { tax: ['works', 'wrong_password'], bankone: ['works'], banktwo: ['works'], bankthree: ['works'] },
  });
}, STAGE_TIMEOUT_MS);
afterAll(() => world.stop());
beforeEach(async () => {
  agent = await world.newAgent();
});

const added = (groups: readonly Structured[], field: string): string =>
  groups.reduce((sum, { sums }) => sum.plus(sums[field]), Big(0)).toFixed();

const movementsOf = async (bank: string, direction?: string): Promise<Structured[]> =>
  agent.askAll('period_totals', 'groups', {
    ...(await agent.connectionTo(bank)),
    scope: 'movements',
    period: CLOSED,
    ...(direction === undefined ? {} : { filters: { direction } }),
  });

test.each(BANKS)('13 how much money came in and went out in October: %s', async (bank) => {
  const { by, count, sums } = (await world.ledger(bank)).movements[CLOSED];
  const all = await movementsOf(bank);
  expect(all.reduce((rows, group) => rows + group.rows, 0)).toBe(count);
  expect(added(all, 'amount')).toBe(Big(sums.amount).toFixed());
  for (const [direction, part] of Object.entries<Structured>(by)) {
    const groups = await movementsOf(bank, direction);
    expect([direction, added(groups, 'amount')]).toEqual([direction, Big(part.sums.amount).toFixed()]);
  }
});

test.each(BANKS)('14 what do we have in the accounts today: %s', async (bank) => {
  const rows = await agent.askAll('search_rows', 'rows', {
    ...(await agent.connectionTo(bank)),
    scope: 'balances',
    filters: { latest: 'true' },
  });
  const { now } = (await world.ledger(bank)).balances;
  expect(rows).toHaveLength(now.count);
  const sum = rows.reduce((total, { saldo_contable }) => total.plus(saldo_contable ?? 0), Big(0));
  expect(sum.toFixed()).toBe(Big(now.sums.saldo_contable).toFixed());
});

test('15 how much did we transfer, and how much was transferred to us', async () => {
  const { by } = (await world.ledger('bankone')).transfers[CLOSED];
  for (const [direction, { count, sums }] of Object.entries<Structured>(by)) {
    const { rows, groups } = await agent.ask('period_totals', {
      ...(await agent.connectionTo('bankone')),
      scope: 'transfers',
      period: CLOSED,
      filters: { direction },
    });
    expect([direction, rows, added(groups, 'amount')]).toEqual([direction, count, Big(sums.amount).toFixed()]);
  }
});

test('16 what did the payrolls and supplier batches of October come to', async () => {
  const { rows, groups } = await agent.ask('period_totals', {
    ...(await agent.connectionTo('bankone')),
    scope: 'nominas',
    period: CLOSED,
  });
  const { count, sums } = (await world.ledger('bankone')).nominas[CLOSED];
  expect([rows, added(groups, 'monto')]).toEqual([count, Big(sums.monto).toFixed()]);
});

test('17 which charges were there on the first days of October', async () => {
  const of = { ...(await agent.connectionTo('bankone')), scope: 'movements' };
  const days = { from: '2026-10-01', to: '2026-10-10', filters: { direction: 'issued' } };
  const rows = await agent.askAll('search_rows', 'rows', { ...of, ...days });
  const month = await agent.askAll('search_rows', 'rows', { ...of, period: CLOSED, limit: 50 });
  const wanted = month.filter(
    ({ direction, fecha_movimiento: day }) => direction === 'issued' && day >= days.from && day <= days.to,
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows).toEqual(wanted);
  const { by } = (await world.ledger('bankone')).movements[CLOSED];
  expect(month.filter(({ direction }) => direction === 'issued')).toHaveLength(by.issued.count);
});

test.each(['tax', ...BANKS])('18 did everything of the last months come in: %s', async (source) => {
  const books = await world.ledger(source);
  const of = await agent.connectionTo(source);
  const scopes = (await agent.askAll('list_connections', 'connections')).find(
    ({ id }) => id === of.connection_id,
  ).scopes;
  for (const { scope } of scopes.filter(({ scope }: Structured) => scope !== 'balances')) {
    const periods = await agent.askAll('list_periods', 'periods', { ...of, scope });
    const held = PERIODS.map((period) => [period, books[scope][period]?.count ?? 0]).filter(([, count]) => count > 0);
    const told = periods.map(({ period, rows }) => [period, rows]).filter(([period]) => PERIODS.includes(period));
    expect([scope, Object.fromEntries(told)]).toEqual([scope, Object.fromEntries(held)]);
  }
});

test('19 what is missing to close September, and who must act', async () => {
  const connections = await agent.askAll('list_connections', 'connections');
  const gaps = await Promise.all(
    connections.map(async ({ id, source, status }) => {
      const found = await agent.askAll('explain_gaps', 'gaps', { connection_id: id });
      const said = found.map(({ scope, code, periods, who }) =>
        `${scope} ${code} ${who} ${periods.includes('2026-09') ? 'September' : ''}`.trim(),
      );
      return [`${source} ${status}`, said] as const;
    }),
  );
  const told = new Map(gaps);
  const refused = ['rcv', 'boletas', 'guias'].flatMap((scope) => [
    `${scope} source.invalid_credentials owner September`,
    `${scope} never_synchronized owner`,
  ]);
  expect(told.get('tax error')!.toSorted()).toEqual(refused.sort());
  // Exactly the notices that the institutions gave about rows they left out.
  for (const source of ['tax', ...BANKS]) {
    const notices = Object.entries(world.story(source).entry.notices ?? {}).flatMap(([scope, codes]) =>
      codes.filter((code) => !code.endsWith('out_of_window')).map((code) => `${scope} ${code}`),
    );
    const without = told.get(`${source} active`)!.map((gap) => gap.split(' ').slice(0, 2).join(' '));
    expect([source, [...new Set(without)].sort()]).toEqual([source, notices.sort()]);
  }
});

test('20 whose data is this, until when, and which day is it', async () => {
  const { today, may, credential, client } = await agent.ask('whoami');
  expect({ today, may, credential, client }).toEqual({
    today: '2026-11-21',
    may: 'read',
    credential: 'key',
    client: 'test',
  });
});

test('21 from when on do we have data of each institution', async () => {
  const connections = await agent.askAll('list_connections', 'connections');
  for (const source of BANKS) {
    const { scopes } = connections.find((each) => each.source === source);
    const movements = scopes.find(({ scope }: Structured) => scope === 'movements');
    const held = Object.entries<Structured>((await world.ledger(source)).movements)
      .filter(([period, { count }]) => PERIODS.includes(period) && count > 0)
      .map(([period]) => period)
      .sort();
    expect([source, movements.oldest_period, movements.newest_period]).toEqual([source, held[0], held.at(-1)]);
    expect(movements.newest_period).toBe(OPEN);
  }
});

test.each(['tax', ...BANKS])('22 do the figures tie out with those of the institution: %s', async (source) => {
  const books = await world.ledger(source);
  const months = await agent.askAll('coverage', 'months', { ...(await agent.connectionTo(source)), months: PERIODS });
  const ofMonths = months.filter(({ period }) => period !== null);
  expect(ofMonths.length).toBeGreaterThan(0);
  for (const { scope, period, rows, state, is_open, differences } of ofMonths) {
    const held = books[scope][period]?.count ?? 0;
    const isCurrent = period === OPEN;
    expect([scope, period, rows, state, is_open, differences]).toEqual([
      scope,
      period,
      held,
      'complete',
      isCurrent,
      [],
    ]);
  }
  // Scopes that report totals of a closed month.
  const told = ofMonths.filter(({ period }) => period === CLOSED).map(({ scope, verdict }) => [scope, verdict]);
  const equal = { tax: ['rcv', 'boletas', 'guias'], bankone: ['movements', 'nominas'], bankthree: ['movements'] };
  expect(Object.fromEntries(told)).toMatchObject(
    Object.fromEntries((equal[source as keyof typeof equal] ?? []).map((scope) => [scope, 'equal'])),
  );
});

test('23 what came in since we looked the last time', async () => {
  const of = { ...(await agent.connectionTo('bankone')), scope: 'nominas', limit: 50 };
  const books = (await world.ledger('bankone')).nominas;
  const came: string[] = [];
  let cursor: string | undefined;
  for (let hasMore = true; hasMore; ) {
    const answer = await agent.ask('changes_since', { ...of, cursor });
    came.push(...answer.changes.map(({ change, period }: Structured) => `${change} ${period}`));
    ({ next_cursor: cursor, has_more: hasMore } = answer);
  }
  const held = PERIODS.flatMap((period) => Array.from({ length: books[period].count }, () => `created ${period}`));
  expect(came.sort()).toEqual(held);
  expect(await agent.ask('changes_since', { ...of, cursor })).toMatchObject({ changes: [], has_more: false });
});
