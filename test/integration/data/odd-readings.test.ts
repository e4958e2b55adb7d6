/**
 * Odd readings of a month that is stored right, some of them next to rows that an earlier odd answer left: no
 * right row is removed, and the next right reading leaves exactly the right rows.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plantClock } from '#shared/platform/clock.ts';
import { newRow } from '#shared/rows/item/row-items.ts';
import { heldRows } from '#shared/rows/write/pending-rows.ts';
import { writePeriod } from '#shared/rows/write/write-period.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import { bankthreeMovements } from '#shared/scopes/bankthree-movements.ts';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { judgeStatements } from '#shared/sync/reading/judge-statements.ts';
import type { ReadPeriod } from '#shared/sync/reading/parse-period.ts';
import { type KnownAccounts, NOTHING_KNOWN, type StatementHeads } from '#shared/values/known-accounts.ts';
import { createMovementOrdinals } from '#shared/values/movement-ordinals.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { runs } from '#test/helpers/effort.ts';
import { type Random, randomFrom } from '#test/helpers/random.ts';
import { newSyncedScope, type SyncedScope, withoutContradictions } from '#test/helpers/synced-scope.ts';
import { shown } from './numbered-rows.ts';

const PERIOD = '2026-10';
const ACCOUNTS = ['111', '222'] as const;
/** For each bank; `FC_RUNS=5` makes 2,000. */
const CASES = 400;

let server: EngineTable;
beforeAll(async () => {
  server = await startEngineTable();
});
afterAll(() => server.stop());
beforeEach(() => plantClock(() => Date.parse('2026-10-30T12:00:00.000Z')));
afterEach(() => plantClock(undefined));

interface Movement {
  account: string;
  day: number;
  document: string;
  amount: number;
  balance: number;
}
interface Month {
  opening: number;
  movements: Movement[];
}

const randomMonth = (random: Random, account: string): Month => {
  const opening = random.int(-5_000, 50_000);
  let balance = opening;
  let day = 1;
  const movements = Array.from({ length: random.int(3, 14) }, (_, n) => {
    day = Math.min(28, day + random.int(0, 3));
    const amount = random.chance(0.05) ? 0 : random.int(-900, 900);
    balance += amount;
    return { account, day, document: String(n + 1), amount, balance };
  });
  return { opening, movements };
};

const rowOf = ({ account, day, document, amount, balance }: Movement, isNumbered: boolean): Row => ({
  period: PERIOD,
  numero_cuenta: account,
  fecha_movimiento: `${PERIOD}-${String(day).padStart(2, '0')}`,
  descripcion: 'PAGO',
  amount: String(amount),
  saldo_contable: String(balance),
  tipo: amount < 0 ? 'C' : 'A',
  direction: amount < 0 ? 'issued' : 'received',
  ...(isNumbered
    ? {
        fecha_contable: `${PERIOD}-${String(day).padStart(2, '0')}`,
        ...{ mnemonico: null, category: null, counterparty_name: null, counterparty_rut: null },
        ...{ counterparty_bank: null, counterparty_account: null, movement_number: document },
      }
    : { currency: 'CLP', documento: document, provisional: true }),
});

const headsOf = ({ opening, movements }: Month): StatementHeads => ({
  opening: String(opening),
  closing: String(movements.at(-1)?.balance ?? opening),
  isOpen: true,
  rows: movements.length,
});

/** Part of a month with the balances that fit it. */
const part = ({ opening, movements }: Month, from: number, to: number): Month => ({
  opening: from === 0 ? opening : movements[from - 1]!.balance,
  movements: movements.slice(from, to),
});

type Months = Record<string, Month>;

/** Each returns what the bank shows instead of the right months. */
const ODD: Record<string, (right: Months, random: Random) => Months> = {
  'an older copy': (right, random) =>
    Object.fromEntries(
      Object.entries(right).map(([account, month]) => [account, part(month, 0, random.int(1, month.movements.length))]),
    ),
  'a copy cut at its beginning': (right, random) =>
    Object.fromEntries(
      Object.entries(right).map(([account, month]) => [
        account,
        part(month, random.int(1, month.movements.length - 1), month.movements.length),
      ]),
    ),
  'an empty statement': (right) =>
    Object.fromEntries(Object.keys(right).map((account) => [account, { opening: 0, movements: [] }])),
  'the statement of another account': (right) => {
    const [first, second] = ACCOUNTS;
    const under = (account: string, { opening, movements }: Month): Month => ({
      opening,
      movements: movements.map((movement) => ({ ...movement, account })),
    });
    return { [first]: under(first, right[second]!), [second]: under(second, right[first]!) };
  },
  'the statement of another month': (_, random) =>
    Object.fromEntries(ACCOUNTS.map((account) => [account, randomMonth(random, account)])),
};

const readerFor = async (scope: ScopeDefinition) => {
  const synced = await newSyncedScope(scope);
  const isNumbered = scope.statement === undefined;
  let known: KnownAccounts = NOTHING_KNOWN;
  const rowsIn = (months: Months) => {
    const ordinalOf = createMovementOrdinals();
    return Object.values(months).flatMap(({ movements }) =>
      movements.map((movement) => {
        const row = rowOf(movement, isNumbered);
        const own = isNumbered
          ? row
          : { ...row, ordinal: ordinalOf(row as unknown as Parameters<typeof ordinalOf>[0]) };
        return newRow(synced.address.connectionId, scope, {
          row: scope.parsed.parse(own),
          raw: {},
          answerId: randomUUID(),
        });
      }),
    );
  };
  const writer = { address: synced.address, scope, runId: randomUUID(), lease: synced.lease, period: PERIOD };
  /** Stores rows next to the others, as an earlier release did. */
  const leave = (months: Months) => writePeriod({ ...writer, scope: withoutContradictions(scope) }, rowsIn(months));
  const read = async (months: Months) => {
    const accounts = Object.entries(months).map(([account, month]) => ({
      account,
      ...(isNumbered || month.movements.length === 0 ? {} : { statement: headsOf(month) }),
    }));
    const nothing = { notices: [], unlessKnown: [], whereKept: [], closed: [], doubtful: [], missing: undefined };
    const answer: ReadPeriod = {
      ...{ ...nothing, rows: heldRows(rowsIn(months)), accounts, unreadable: null, readAt: undefined },
      told: { totals: [], whole: [] },
    };
    const { read: judged, statements } = await judgeStatements(writer, answer, known, async () => answer);
    const facts = { isSecondReading: true, findLastReading: async () => ({ runId: null, isDoubted: false }) };
    return writePeriod(writer, judged.rows, { doubtful: judged.doubtful, statements, facts, recognizes: true });
  };
  const knows = (months: Months): void => {
    const heads = Object.fromEntries(Object.entries(months).map(([account, month]) => [account, headsOf(month)]));
    known = { ...NOTHING_KNOWN, accounts: [...ACCOUNTS], statements: { [PERIOD]: heads } };
  };
  return { synced, read, leave, knows };
};

const texts = (months: Months, isNumbered: boolean): string[] =>
  Object.values(months)
    .flatMap(({ movements }) => movements)
    .map(
      (movement) =>
        `${movement.account} ${movement.day} ${movement.amount} ${movement.balance} ${isNumbered ? '' : movement.document}`,
    )
    .sort();
const storedTexts = async (synced: SyncedScope): Promise<string[]> =>
  (await shown(synced))
    .map((row) => JSON.parse(row) as Record<string, string | null>)
    .map(
      ({ numero_cuenta, fecha_movimiento, amount, saldo_contable, documento = '' }) =>
        `${numero_cuenta} ${Number(fecha_movimiento!.slice(-2))} ${amount} ${saldo_contable} ${documento}`,
    )
    .sort();

/** The same months, with other documents or numbers: what one odd answer left. */
const withOthers = (months: Months, random: Random): Months =>
  Object.fromEntries(
    Object.entries(months).map(([account, { opening, movements }]) => {
      const first = random.int(0, movements.length - 1);
      return [
        account,
        {
          opening,
          movements: movements.map((one, n) =>
            // A movement of zero leads from a balance to itself, so the walk cannot find a second one.
            n < first || one.amount === 0 ? one : { ...one, document: `9${one.document}` },
          ),
        },
      ];
    }),
  );

const SCOPES: readonly ScopeDefinition[] = [bankoneMovements, banktwoMovements, bankthreeMovements];

describe.each(SCOPES.map((scope) => [scope.source, scope] as const))('%s', (_source, scope) => {
  const isNumbered = scope.statement === undefined;

  test.each(Object.keys(ODD))('%s removes no right row', { timeout: 240_000 }, async (kind) => {
    const cases = Math.ceil(runs(CASES) / Object.keys(ODD).length);
    for (let seed = 1; seed <= cases; seed++) {
      const random = randomFrom(seed * 7 + kind.length);
      const right = Object.fromEntries(ACCOUNTS.map((account) => [account, randomMonth(random, account)]));
      const { synced, read, leave, knows } = await readerFor(scope);
      await read(right);
      knows(right);
      const before = texts(right, isNumbered);
      const isDirty = !isNumbered && random.chance(0.5);
      // Without heads the rows of the odd answer stay next to the right ones, as an earlier release stored them.
      if (isDirty) await leave(withOthers(right, random));
      const odd = ODD[kind]!(right, random);
      await read(odd);
      const stored = new Set(await storedTexts(synced));
      expect(
        before.filter((one) => !stored.has(one)),
        `${kind}, seed ${seed}`,
      ).toEqual([]);
      await read(right);
      expect(await storedTexts(synced), `${kind}, seed ${seed}: after a right reading`).toEqual(before);
    }
  });
});
