/** The rows read equal what the bank holds, in every month and after every change. */
import { describe, expect, test } from 'vitest';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';
import {
  clientOf,
  clock,
  knobs,
  LARGE_MS,
  LAST_MONTH,
  PERIOD,
  pullBalances,
  pullMovements,
  sandbox,
  tallyBalances,
  tallyMovements,
} from './banktwo-stage.ts';

const idsOf = (rows: Record<string, unknown>[]) => rows.map((row) => JSON.stringify(banktwoMovements.naturalKey(row)));

/** Restores the day in any case, because tests run in any order. */
const onDay = async (instant: string, work: () => Promise<void>): Promise<void> => {
  const before = clock.nowMs;
  clock.nowMs = Date.parse(instant);
  try {
    await work();
  } finally {
    clock.nowMs = before;
  }
};

describe('movements', () => {
  test('every month of the bank’s depth, to the last decimal', { timeout: LARGE_MS }, async () => {
    const entry = clientOf('works');
    const held = sandbox.ledger(entry.credentials.client_id).movements;
    expect(Object.keys(held)).toHaveLength(19);
    for (const [period, tally] of Object.entries(held)) {
      const { rows, notices } = await pullMovements(entry, period);
      expect(tallyMovements(rows)).toEqual(tally);
      expect(rows.every((row) => row.period === period && row.fecha_contable?.startsWith(period))).toBe(true);
      expect(notices.map(({ code }) => code)).toEqual(period === '2025-05' ? ['banktwo.movements.out_of_window'] : []);
    }
  });

  test('5,000 movements in a month come page by page', { timeout: LARGE_MS }, async () => {
    const entry = clientOf('large');
    const { rows, asked, messages } = await pullMovements(entry, LAST_MONTH);
    const held = sandbox.ledger(entry.credentials.client_id, LAST_MONTH).movements[LAST_MONTH]!;
    expect(held.count).toBeGreaterThan(4_500);
    expect(tallyMovements(rows)).toEqual(held);
    expect(asked.fetched.length).toBeGreaterThanOrEqual(held.count / 50);
    expect(messages.at(-1)).toBe(`movements ${LAST_MONTH}: ${held.count.toLocaleString('en-US')} read, account 3 of 3`);
  });

  test('an exact multiple of the page ends with an empty page', async () => {
    const entry = clientOf('page_multiple');
    const { rows, asked } = await pullMovements(entry, LAST_MONTH);
    expect(rows).toHaveLength(100);
    expect(asked.fetched).toEqual(
      ['accounts', 1, 2, 3].map((n) => (n === 'accounts' ? n : `movements/account-1/1/${n}`)),
    );
  });

  test('pages that overlap count once, equal payments twice', async () => {
    const entry = clientOf('duplicate_rows');
    const { rows } = await pullMovements(entry, LAST_MONTH);
    const held = sandbox.ledger(entry.credentials.client_id, LAST_MONTH).movements[LAST_MONTH]!;
    expect(rows.length).toBe(held.count);
    expect(new Set(idsOf(rows)).size).toBe(held.count);
    const equals = Map.groupBy(rows, ({ fecha_movimiento, amount, descripcion }) =>
      JSON.stringify([fecha_movimiento, amount, descripcion]),
    );
    const pairs = [...equals.values()].filter((list) => new Set(idsOf(list)).size === 2);
    expect(pairs.length).toBeGreaterThan(3);
  });

  test.each(['2025-04', '2019-01', '2027-01'])('%s cannot be requested: one notice, no rows', async (period) => {
    const { rows, notices, asked } = await pullMovements(clientOf('works'), period);
    expect(rows).toEqual([]);
    expect(notices.map(({ code }) => code)).toEqual(['banktwo.movements.out_of_window']);
    expect(asked.fetched).toEqual(['accounts']);
  });

  test('direction, type and sign agree; dollars have cents, pesos none', async () => {
    const { rows } = await pullMovements(clientOf('works'), LAST_MONTH);
    for (const { amount, tipo, direction } of rows) {
      expect([tipo, direction]).toEqual(amount!.startsWith('-') ? ['C', 'issued'] : ['A', 'received']);
    }
    const numbers = new Set(rows.map(({ numero_cuenta }) => numero_cuenta));
    expect(numbers.size).toBe(3);
    const cents = Map.groupBy(rows, ({ amount }) => amount!.includes('.'));
    expect(new Set(cents.get(true)?.map(({ numero_cuenta }) => numero_cuenta)).size).toBe(1);
    expect(new Set(cents.get(false)?.map(({ numero_cuenta }) => numero_cuenta)).size).toBe(2);
    expect(rows.some(({ saldo_contable }) => saldo_contable!.startsWith('-'))).toBe(true);
    expect(rows.some(({ counterparty_name }) => counterparty_name?.includes('Ñ'))).toBe(true);
    expect(rows.some(({ counterparty_rut }) => counterparty_rut === null)).toBe(true);
    expect(rows.some(({ fecha_movimiento, fecha_contable }) => fecha_movimiento! < fecha_contable!)).toBe(true);
  });
});

describe('a month that is not over', { timeout: LARGE_MS }, () => {
  test('late bookings of the month before are found, everything else keeps its identity', async () => {
    const entry = clientOf('late_bookings');
    const first = await pullMovements(entry, LAST_MONTH);
    let early: string[] = [];
    await onDay('2026-10-30T15:00:00Z', async () => {
      const { rows } = await pullMovements(entry, LAST_MONTH);
      expect(tallyMovements(rows)).toEqual(
        sandbox.ledger(entry.credentials.client_id, LAST_MONTH).movements[LAST_MONTH],
      );
      early = idsOf(rows);
    });
    const late = idsOf(first.rows);
    expect(early.length).toBeLessThan(late.length);
    expect(new Set([...early, ...late]).size).toBe(late.length);
  });

  test('a booking that arrives now, days after its day, is read with its month', async () => {
    const entry = clientOf('unknown_fields');
    const login = entry.credentials.client_id;
    const before = await pullMovements(entry, LAST_MONTH);
    expect(await knobs({ login, late: 3, day: '2026-10-29' })).toBe(200);
    const after = await pullMovements(entry, LAST_MONTH);
    const arrived = idsOf(after.rows).filter((id) => !idsOf(before.rows).includes(id));
    expect(arrived).toHaveLength(3);
    expect(idsOf(after.rows)).toEqual(expect.arrayContaining(idsOf(before.rows)));
    expect(tallyMovements(after.rows)).toEqual(sandbox.ledger(login, LAST_MONTH).movements[LAST_MONTH]);
  });

  test('what was made on the last evening belongs to the month of its booking', async () => {
    const entry = clientOf('large');
    await onDay('2026-11-20T15:00:00Z', async () => {
      const { rows } = await pullMovements(entry, PERIOD);
      const earlier = rows.filter(({ fecha_movimiento }) => fecha_movimiento!.startsWith(LAST_MONTH));
      expect(earlier.length).toBeGreaterThan(0);
      expect(new Set(earlier.map(({ period }) => period))).toEqual(new Set([PERIOD]));
    });
  });
});

describe('balances', () => {
  test('follow from the movements: the last balance of the month is the book balance', async () => {
    const entry = clientOf('works');
    const { rows } = await pullMovements(entry);
    const balances = await pullBalances(entry);
    expect(tallyBalances(balances.rows)).toEqual(sandbox.ledger(entry.credentials.client_id).balances.now);
    const newest = new Map(rows.toReversed().map((row) => [row.numero_cuenta, row.saldo_contable]));
    expect(new Map(balances.rows.map((row) => [row.numero_cuenta, row.saldo_contable]))).toEqual(newest);
    expect(balances.rows.map(({ currency }) => currency)).toEqual(['CLP', 'USD', 'CLP']);
    expect(balances.rows.map(({ observed_at }) => observed_at)).toEqual(
      Array(3).fill(new Date(Math.floor(clock.nowMs / 1000) * 1000).toISOString()),
    );
  });

  test.each([
    ['before nine', '2026-11-20T11:59:00Z', true],
    ['after nine', '2026-11-20T12:00:00Z', false],
    ['on a Sunday', '2026-11-22T15:00:00Z', true],
  ])('the balance of 09:00 %s', async (_when, instant, isNull) => {
    await onDay(instant, async () => {
      const { rows } = await pullBalances(clientOf('works'));
      expect(rows.map(({ saldo_contable_9am }) => saldo_contable_9am === null)).toEqual(Array(3).fill(isNull));
    });
  });
});
