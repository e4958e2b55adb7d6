/**
 * Two endpoints, one month after the other: which rows are provisional, what replaces them, and lists that change
 * meanwhile.
 */
import { describe, expect, test } from 'vitest';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import { source } from '#shared/sources/bankone/source.ts';
import { admissible, replacedRows } from '#shared/values/statements.ts';
import { createAsk } from './ask.ts';
import {
  at,
  clock,
  entryOf,
  failureOf,
  held,
  inSession,
  io,
  knobs,
  LARGE_MS,
  LAST_MONTH,
  loginOf,
  PERIOD,
  parseAll,
  pull,
  requestOf,
  tallyOf,
} from './bankone-stage.ts';

type Row = Record<string, unknown>;

/** The engine's part: the rows of a period after one more reading. */
const stored = (before: readonly Row[], read: { rows: Row[]; closed: string[] }): Row[] => {
  const told = (row: Row) => ({
    id: JSON.stringify(bankoneMovements.naturalKey(row)),
    statement: bankoneMovements.statement(row),
    row,
  });
  const known = before.map(told);
  const isOver = clock.nowMs >= Date.parse(DECEMBER_2);
  const incoming = admissible(known, read.rows.map(told), { isOver });
  const gone = new Set(replacedRows(known, incoming, read.closed).map(({ id }) => id));
  const all = new Map([...known, ...incoming].map((entry) => [entry.id, entry.row]));
  return [...all].filter(([id]) => !gone.has(id)).map(([, row]) => row);
};

const DECEMBER_2 = '2026-12-02T15:00:00Z';

describe('a month that closes', { timeout: LARGE_MS }, () => {
  test.each(['works', 'provisional_differs', 'duplicate_rows', 'late_booking'] as const)(
    '%s: the closed statement replaces the provisional rows, under the same identities',
    async (behaviour) => {
      const entry = entryOf(behaviour);
      let month: Row[] = [];
      await at('2026-11-30T23:30:00Z', async () => {
        const open = await pull(entry, 'movements', PERIOD);
        expect(tallyOf('movements', open.rows)).toEqual(held(entry, 'movements', PERIOD));
        expect(open.rows.every(({ provisional }) => provisional === true)).toBe(true);
        expect(open.closed).toEqual([]);
        month = stored([], open);
      });
      await at(DECEMBER_2, async () => {
        const closed = await pull(entry, 'movements', PERIOD);
        const before = new Set(month.map((row) => JSON.stringify(bankoneMovements.naturalKey(row))));
        const after = new Set(closed.rows.map((row) => JSON.stringify(bankoneMovements.naturalKey(row))));
        const onlyBefore = [...before].filter((id) => !after.has(id)).length;
        // With this credential one provisional movement per account disappears, with the others none.
        expect(onlyBefore).toBe(behaviour === 'provisional_differs' ? 2 : 0);
        expect(closed.rows.every(({ provisional }) => provisional === false)).toBe(true);
        expect(closed.closed).toHaveLength(2);
        month = stored(month, closed);
        expect(tallyOf('movements', month)).toEqual(held(entry, 'movements', PERIOD));
      });
    },
  );

  test('a month of which nothing moved closes as well', async () => {
    await at(DECEMBER_2, async () => {
      const { rows, closed, notices } = await pull(entryOf('no_data_code'), 'movements', PERIOD);
      // A "no data" answer has no balances to check, so it replaces nothing.
      expect([rows, closed, notices]).toEqual([[], [], []]);
    });
  });

  test('until the first banking day there is neither: a notice, and nothing is deleted', async () => {
    // 1 November 2026 is a Sunday.
    await at('2026-11-01T15:00:00Z', async () => {
      const { rows, closed, notices } = await pull(entryOf('works'), 'movements', LAST_MONTH);
      expect([rows, closed]).toEqual([[], []]);
      expect(notices.map(({ code }) => code)).toEqual(['bankone.movements.not_published']);
    });
    await at('2026-11-02T15:00:00Z', async () => {
      expect((await pull(entryOf('works'), 'movements', LAST_MONTH)).closed).toHaveLength(2);
    });
  });

  test('midnight of the last day in the middle of the work', async () => {
    const entry = entryOf('works');
    const asked = createAsk();
    await at('2026-12-01T02:59:50Z', async () => {
      const ask: typeof asked.ask = async (key, fetch) => {
        const answer = await asked.ask(key, fetch);
        // 30 November 23:59:50 becomes 1 December, a banking day.
        if (key === 'open/1/1/1') clock.nowMs += 12 * 3_600_000;
        return answer;
      };
      await inSession(entry, async (session) => {
        const failure = await failureOf(() =>
          source.pull(requestOf(entry, 'movements', PERIOD), { session, ask, io: io(), progress: () => {} }),
        );
        expect(failure).toMatchObject({ name: 'SessionExpired' });
      });
      // The first account stops at page 2 of the open statement: now it is refused, so its closed statement is read.
      await inSession(entry, (session) =>
        source.pull(requestOf(entry, 'movements', PERIOD), { session, ask: asked.ask, io: io(), progress: () => {} }),
      );
      expect(asked.fetched.filter((key) => key === 'statements/1')).toHaveLength(1);
      const read = parseAll(entry, 'movements', PERIOD, asked);
      expect(tallyOf('movements', read.rows)).toEqual(held(entry, 'movements', PERIOD));
      expect(read.closed).toHaveLength(2);
    });
  });

  test('a currency is known while the month is open; closed statements report CLP', async () => {
    const currencies = async (period: string) => [
      ...new Set((await pull(entryOf('works'), 'movements', period)).rows.map(({ currency }) => currency)),
    ];
    expect(await currencies(PERIOD)).toEqual(['CLP', 'USD']);
    expect(await currencies(LAST_MONTH)).toEqual(['CLP']);
  });
});

describe('depth', () => {
  test.each([
    ['movements', '2024-10'],
    ['movements', '2027-01'],
    ['transfers', '2025-10'],
    ['transfers', '2026-12'],
  ])('%s of %s: one notice, and only the accounts are requested', async (scope, period) => {
    const { rows, notices, asked } = await pull(entryOf('works'), scope, period);
    expect(rows).toEqual([]);
    expect(notices.map(({ code }) => code)).toEqual([`bankone.${scope}.out_of_window`]);
    expect(asked.fetched).toEqual(['accounts']);
  });

  test('the month in which the depth of transfers begins is read from that day on, with a notice', async () => {
    const { rows, notices } = await pull(entryOf('works'), 'transfers', '2025-11');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ transferred_at }) => String(transferred_at) >= '2025-11-20')).toBe(true);
    expect(notices.map(({ code }) => code)).toEqual(['bankone.transfers.out_of_window']);
  });

  test('batches of days to come are read', async () => {
    const { rows } = await pull(entryOf('works'), 'nominas', PERIOD);
    expect(rows.map(({ nomina_date, estado }) => [String(nomina_date) > '2026-11-20', estado])).toContainEqual([
      true,
      'POR_AUTORIZAR',
    ]);
  });

  test('a batch that is rejected late changes under the same identity', async () => {
    const of = async () =>
      (await pull(entryOf('works'), 'nominas', PERIOD)).rows.find(({ tipo }) => tipo === 'PROVEEDORES')!;
    const states: unknown[] = [];
    const numbers = new Set<unknown>();
    for (const day of ['2026-11-10', '2026-11-13'])
      await at(`${day}T15:00:00Z`, async () => {
        const row = await of();
        numbers.add(row.numero_nomina);
        states.push([row.estado, (row.pagos as Row[])[1]!.motivo_rechazo]);
      });
    expect(states).toEqual([
      ['PROCESADA', null],
      ['PROCESADA_PARCIAL', 'CUENTA INEXISTENTE'],
    ]);
    expect(numbers.size).toBe(1);
  });
});

describe('lists that change while they are read', { timeout: LARGE_MS }, () => {
  test('a row that arrives between two pages: the list is read again, and all rows are there', async () => {
    const entry = entryOf('rows_arrive');
    const asked = createAsk();
    let arrivals = 0;
    const ask: typeof asked.ask = async (key, fetch) => {
      const answer = await asked.ask(key, fetch);
      if (/^open\/1\/[12]\/1$/.test(key)) {
        arrivals++;
        await knobs({ rut: loginOf(entry), arrive: 2 });
      }
      return answer;
    };
    await inSession(entry, (session) =>
      source.pull(requestOf(entry, 'movements', PERIOD), { session, ask, io: io(), progress: () => {} }),
    );
    expect(arrivals).toBe(2);
    expect(asked.fetched).toContain('open/1/3/1');
    const { rows } = parseAll(entry, 'movements', PERIOD, asked);
    expect(tallyOf('movements', rows)).toEqual(held(entry, 'movements', PERIOD));
  });

  test('a list that never stops changing is given up after five readings', async () => {
    const entry = entryOf('large');
    const asked = createAsk();
    const ask: typeof asked.ask = async (key, fetch) => {
      const answer = await asked.ask(key, fetch);
      await knobs({ rut: loginOf(entry), arrive: 1 });
      return answer;
    };
    const failure = await inSession(entry, (session) =>
      failureOf(() =>
        source.pull(requestOf(entry, 'movements', PERIOD), { session, ask, io: io(), progress: () => {} }),
      ),
    );
    expect(failure).toMatchObject({ code: 'source.unexpected_response' });
    expect(asked.fetched.filter((key) => key.startsWith('open/1/'))).toHaveLength(10);
  });
});

describe('going on after a stop', () => {
  test.each(['transfers', 'balances', 'movements', 'nominas'])(
    '%s: stored answers are not requested again',
    async (scope) => {
      const entry = entryOf('works');
      const first = await pull(entry, scope, LAST_MONTH);
      const again = createAsk(first.asked.kept);
      const second = await pull(entry, scope, LAST_MONTH, again);
      expect(again.fetched).toEqual([]);
      expect(second.rows).toEqual(first.rows);
      // Half of the answers are stored: only the rest is requested.
      const keys = [...first.asked.kept.keys()];
      const half = createAsk(new Map([...first.asked.kept].slice(0, Math.ceil(keys.length / 2))));
      await pull(entry, scope, LAST_MONTH, half);
      expect(half.fetched).toEqual(keys.slice(Math.ceil(keys.length / 2)));
    },
  );

  test('a stored request holds what the parser needs, without login and company', async () => {
    const entry = entryOf('works');
    for (const scope of ['transfers', 'balances', 'movements', 'nominas']) {
      const { asked } = await pull(entry, scope, LAST_MONTH);
      for (const { request } of asked.kept.values()) {
        const names = ['account', 'batch', 'from', 'list', 'page', 'reading', 'today'];
        expect(
          Object.keys(request).every((name) => names.includes(name)),
          JSON.stringify(request),
        ).toBe(true);
        expect(JSON.stringify(request)).not.toContain(loginOf(entry).slice(0, 8));
      }
    }
  });

  test('equal transfers are distinguished by their numbers', async () => {
    const { rows } = await pull(entryOf('duplicate_rows'), 'transfers', LAST_MONTH);
    const equal = Map.groupBy(rows, ({ transferred_at, amount, direction }) =>
      JSON.stringify([transferred_at, amount, direction]),
    );
    const pairs = [...equal.values()].filter(({ length }) => length > 1);
    expect(pairs.length).toBeGreaterThanOrEqual(4);
    expect(new Set(rows.map(({ numero_transaccion }) => numero_transaccion)).size).toBe(rows.length);
  });
});
