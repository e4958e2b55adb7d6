/** The rows read equal what the bank holds, after any fault and over the end of a month. */
import { describe, expect, test } from 'vitest';
import type { StatementRow } from '#shared/scopes/banks/statement-movements.ts';
import { source } from '#shared/sources/bankthree/source.ts';
import { createAsk, type KeptAsk } from './ask.ts';
import {
  afterClosing,
  balancesTally,
  clock,
  entryOf,
  failureOf,
  inSession,
  io,
  knobs,
  LARGE_MS,
  LAST_MONTH,
  movementsTally,
  PERIOD,
  parseAll,
  pull,
  requestOf,
  sandbox,
  withKnobs,
} from './bankthree-stage.ts';

const WORKS = entryOf('works');
const LOGIN = WORKS.credentials.rut!;

/** Restores the clock in any case, because tests run in any order. */
const at = async (instant: string, work: () => Promise<void>): Promise<void> => {
  const before = clock.nowMs;
  clock.nowMs = Date.parse(instant);
  try {
    await work();
  } finally {
    clock.nowMs = before;
  }
};

describe('totals', () => {
  test('every month that the bank shows, to the last decimal', { timeout: LARGE_MS }, async () => {
    const { movements } = sandbox.ledger(LOGIN);
    const periods = Object.keys(movements);
    expect(periods).toHaveLength(25);
    for (const period of periods) {
      const { rows, closed, notices } = await pull(WORKS, period);
      expect(movementsTally(rows)).toEqual(movements[period]);
      expect(closed).toHaveLength(period === PERIOD ? 0 : 3);
      expect(notices).toEqual([]);
      expect(rows.every((row) => row.provisional === (period === PERIOD))).toBe(true);
    }
  });

  test('5,000 movements a month and account', { timeout: LARGE_MS }, async () => {
    const large = entryOf('large');
    const { rows, messages } = await pull(large, LAST_MONTH);
    expect(rows.length).toBeGreaterThan(10_000);
    expect(movementsTally(rows)).toEqual(sandbox.ledger(large.credentials.rut!, LAST_MONTH).movements[LAST_MONTH]);
    expect(messages.at(-1)).toBe('movements 2026-10: 3 of 3 accounts');
  });

  test('dollars have cents, pesos have none, names have their letters', async () => {
    const rows = (await pull(WORKS, LAST_MONTH)).rows as StatementRow[];
    for (const { currency, amount, saldo_contable } of rows) {
      const scale = currency === 'CLP' ? /^-?\d+$/ : /^-?\d+\.\d{2}$/;
      expect([amount, saldo_contable]).toEqual([expect.stringMatching(scale), expect.stringMatching(scale)]);
    }
    expect(new Set(rows.map(({ currency }) => currency))).toEqual(new Set(['CLP', 'USD']));
    expect(rows.some(({ descripcion }) => descripcion?.includes('Ñ'))).toBe(true);
    expect(rows.some(({ documento }) => documento === null)).toBe(true);
    for (const { amount, tipo, direction } of rows) {
      expect([tipo, direction]).toEqual(amount!.startsWith('-') ? ['C', 'issued'] : ['A', 'received']);
    }
  });

  test('equal movements stay apart, a balance that is there twice is one', async () => {
    const entry = entryOf('duplicate_rows');
    const rows = (await pull(entry, LAST_MONTH)).rows as StatementRow[];
    expect(rows.filter(({ ordinal }) => ordinal > 0).length).toBeGreaterThan(5);
    expect(movementsTally(rows)).toEqual(sandbox.ledger(entry.credentials.rut!).movements[LAST_MONTH]);
    const balances = await pull(entry, null);
    expect(balances.rows).toHaveLength(4);
    expect(balancesTally(balances.rows).count).toBe(3);
  });

  test('balances are those of the open statements, at the time the bank says', async () => {
    const { rows, asked } = await pull(WORKS, null);
    expect(balancesTally(rows)).toEqual(sandbox.ledger(LOGIN).balances.now);
    expect(rows.map(({ observed_at }) => observed_at)).toEqual(Array(3).fill('2026-11-20T15:00:00.000Z'));
    expect(rows[2]).toMatchObject({ saldo_disponible: null });
    // Only a statement says whose balances they are.
    expect(asked.fetched).toEqual(['accounts', 'balances', 'company/1']);
    const movements = (await pull(WORKS)).rows as StatementRow[];
    for (const { numero_cuenta, saldo_contable } of rows) {
      const last = movements.filter((row) => row.numero_cuenta === numero_cuenta).at(-1);
      expect(saldo_contable).toBe(last!.saldo_contable);
    }
  });

  test('in a session whose company is known, balances also request only the accounts', async () => {
    const asked = createAsk();
    await inSession(WORKS, async (session) => {
      await source.pull(requestOf(WORKS, LAST_MONTH), { session, ask: createAsk().ask, io: io(), progress: () => {} });
      await source.pull(requestOf(WORKS, null), { session, ask: asked.ask, io: io(), progress: () => {} });
    });
    expect(asked.fetched).toEqual(['accounts', 'balances']);
  });
});

describe('what is not there', () => {
  test('the future and older months are not requested', async () => {
    const future = await pull(WORKS, '2026-12');
    expect([future.rows, future.notices]).toEqual([[], ['bankthree.movements.not_available']]);
    const old = await pull(WORKS, '2024-10');
    expect([old.rows, old.notices]).toEqual([[], ['bankthree.movements.out_of_window']]);
    expect([...future.asked.fetched, ...old.asked.fetched]).toEqual(['accounts', 'accounts']);
  });

  test('a month without movements: a file closes it, a page does not', async () => {
    const files = await pull(entryOf('empty'), LAST_MONTH);
    expect([files.rows, files.closed.length, files.notices]).toEqual([[], 1, []]);
    const pages = await pull(entryOf('empty_pages'), LAST_MONTH);
    expect([pages.rows, pages.closed.length, pages.notices]).toEqual([[], 0, []]);
  });

  test('another company than the requested one gives no movements and no balances', async () => {
    const other = { ...WORKS, credentials: { ...WORKS.credentials, company_rut: '77100002-1' } };
    const entry = {
      ...other,
      credentials: { ...other.credentials, company_rut: entryOf('large').credentials.company_rut! },
    };
    for (const period of [PERIOD, LAST_MONTH, null]) {
      expect(await failureOf(() => pull(entry, period))).toMatchObject({ code: 'source.wrong_company' });
    }
  });
});

describe('a month that closes', () => {
  test('replaces what was provisional: late bookings come, held ones go', async () => {
    let open = await pull(WORKS);
    await at('2026-11-30T20:00:00Z', async () => {
      open = await pull(WORKS);
      expect(movementsTally(open.rows)).toEqual(sandbox.ledger(LOGIN).movements[PERIOD]);
    });
    await at('2026-12-02T15:00:00Z', async () => {
      const closed = await pull(WORKS);
      const after = afterClosing(open.rows, closed);
      expect(movementsTally(after)).toEqual(sandbox.ledger(LOGIN).movements[PERIOD]);
      expect(after.some((row) => row.provisional)).toBe(false);
      // The case is real: some rows disappeared, some are new, and most have the same identity in both.
      const amounts = (rows: typeof after) => rows.map(({ amount }) => amount);
      expect(amounts(open.rows).some((amount) => !amounts(after).includes(amount))).toBe(true);
      expect(amounts(after).some((amount) => !amounts(open.rows).includes(amount))).toBe(true);
    });
  });

  test('a month that ended and is not closed yet is reported, and its provisional rows stay', async () => {
    const open = await pull(WORKS);
    await withKnobs({ closeDelayMonths: 1 }, { closeDelayMonths: 0 }, () =>
      at('2026-12-02T15:00:00Z', async () => {
        const waiting = await pull(WORKS);
        expect([waiting.rows, waiting.closed]).toEqual([[], []]);
        expect(waiting.notices).toEqual(['bankthree.movements.not_available']);
        expect(afterClosing(open.rows, waiting)).toEqual(open.rows);
        expect(waiting.asked.fetched).toContain('statement/1/closed');
      }),
    );
  });

  test('between the page of months and the file', async () => {
    const asked = createAsk();
    const before = clock.nowMs;
    const ask: KeptAsk['ask'] = async (key, fetch) => {
      const answer = await asked.ask(key, fetch);
      if (key === 'accounts') clock.nowMs = Date.parse('2026-12-01T03:01:00Z');
      return answer;
    };
    clock.nowMs = Date.parse('2026-12-01T02:59:00Z');
    try {
      await inSession(WORKS, (session) =>
        source.pull(requestOf(WORKS), { session, ask, io: io(), progress: () => {} }),
      );
      const read = parseAll(WORKS.credentials, PERIOD, asked.kept.values());
      expect(movementsTally(read.rows)).toEqual(sandbox.ledger(LOGIN).movements[PERIOD]);
      expect([read.closed.length, read.notices]).toEqual([3, []]);
      expect(asked.fetched.slice(0, 3)).toEqual(['accounts', 'statement/1/open', 'statement/1/closed']);
    } finally {
      clock.nowMs = before;
    }
  });
});

describe('going on after a stop', () => {
  test('stored answers are not requested again', async () => {
    for (const period of [PERIOD, LAST_MONTH, null]) {
      const first = await pull(WORKS, period);
      const again = createAsk(first.asked.kept);
      const second = await pull(WORKS, period, again);
      expect(again.fetched).toEqual([]);
      expect(second.rows).toEqual(first.rows);
    }
  });

  test('a temporary fault leaves the stored answers, and the next attempt requests only the rest', async () => {
    for (const behaviour of ['rate_limited', 'session_expires'] as const) {
      const entry = entryOf(behaviour);
      await knobs({ rut: entry.credentials.rut, reset: true });
      const asked = createAsk();
      let failures = 0;
      while (failures < 4 && (await failureOf(() => pull(entry, PERIOD, asked))) !== undefined) failures++;
      expect(failures).toBeGreaterThan(0);
      const fetched = asked.fetched.filter((key) => key === 'accounts');
      expect(fetched).toHaveLength(1);
      const { rows } = parseAll(entry.credentials, PERIOD, asked.kept.values());
      expect(movementsTally(rows)).toEqual(sandbox.ledger(entry.credentials.rut!).movements[PERIOD]);
    }
  });

  test('a stored request holds what the parser needs and nothing else', async () => {
    const { asked } = await pull(WORKS, LAST_MONTH);
    const requests = [...asked.kept.values()].map(({ request }) => request);
    expect(requests.slice(0, 2)).toEqual([
      { page: 'accounts' },
      { page: 'statement', account: '000000769901231', fecha: '202610', today: '2026-11-20' },
    ]);
  });

  test('the engine can stop a pull', async () => {
    const controller = new AbortController();
    const session = await source.connect(WORKS, io());
    controller.abort(new Error('out of time'));
    const stopped = io({}, controller.signal);
    const failure = await failureOf(() =>
      source.pull(requestOf(WORKS), { session, ask: createAsk().ask, io: stopped, progress: () => {} }),
    );
    expect(failure).toMatchObject({ message: 'out of time' });
    await source.disconnect(session, io());
  });
});
