/**
 * Counts the round trips of a page: never more than four in sequence, for any days of its rows. Two of them
 * precede the page itself: the credential, and the connection with the summary. Guards line 3 of `npm run bench`.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSummary } from '#shared/rows/index/page-index.store.ts';
import type { Summary } from '#shared/rows/index/summary.ts';
import { readPage } from '#shared/rows/read/read-page.store.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { TO_REACH } from '#test/bench/page-cases.ts';
import { tableCallsOf } from '#test/bench/table-calls.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { IS_WHOLE } from '#test/helpers/effort.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { expectedRows, type ModelFilter } from '#test/helpers/read-model.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';

const TRIPS_MAX = TO_REACH.trips - 2;
const PERIODS = ['2026-07', '2026-08', '2026-09', '2026-10', '2026-11'];
const LIMITS = [1, 20];

let server: TestTable;
beforeAll(async () => {
  server = await startTable();
});
afterAll(() => server.stop());

/**
 * Where the rows of a month may be: at one of its ends, in its middle, in another month (a late document), or without a
 * day.
 */
const SPREADS = {
  first: () => '01',
  last: () => '28',
  ends: (n: number) => (n % 9 === 0 ? '01' : '28'),
  starts: (n: number) => (n % 9 === 0 ? '28' : '01'),
  even: (n: number) => String((n % 28) + 1).padStart(2, '0'),
} as const;
type Spread = keyof typeof SPREADS | 'late' | 'undated';

const dayOf = (period: string, spread: Spread, n: number): string | null => {
  if (spread === 'undated') return n % 3 === 0 ? null : `${period}-28`;
  if (spread === 'late') return n % 2 === 0 ? `${period}-01` : `${PERIODS[n % PERIODS.length]}-15`;
  return `${period}-${SPREADS[spread](n)}`;
};

interface Month {
  rows: number;
  spread: Spread;
  /** Whether the summary counts its rows by day. It does not with too many days, or in its first stored form. */
  isTold: boolean;
}

const month = fc.record<Month>({
  rows: fc.constantFrom(0, 7, 40, 40),
  spread: fc.constantFrom<Spread[]>('first', 'last', 'ends', 'starts', 'even', 'late', 'undated'),
  isTold: fc.boolean(),
});
interface Question {
  from: string | undefined;
  to: string | undefined;
  direction: string | undefined;
}

const bound = fc.option(
  fc.tuple(fc.constantFrom(...PERIODS), fc.constantFrom('01', '02', '10', '27', '28')).map((parts) => parts.join('-')),
  { nil: undefined, freq: 4 },
);

const fill = async (synced: SyncedScope, months: readonly Month[]): Promise<void> => {
  const random = randomFrom(1);
  for (const [at, { rows, spread }] of months.entries()) {
    const period = PERIODS[at]!;
    const made = Array.from(
      { length: rows },
      (_, n): Row => ({
        ...ROW_MAKERS['tax.rcv']!(random, period, n),
        folio: `${at}${n}`,
        issued_at: dayOf(period, spread, n),
      }),
    );
    await synced.sync(period, made);
  }
};

const summaryOf = async ({ address }: SyncedScope, months: readonly Month[]): Promise<Summary> =>
  Object.fromEntries(
    Object.entries(await findSummary(address)).map(([period, entry]) => {
      const { isTold } = months[PERIODS.indexOf(period)]!;
      return [period, isTold ? entry : { ...entry, days: null }];
    }),
  );

const judge = async ({ address, model }: SyncedScope, summary: Summary, asked: ModelFilter): Promise<void> => {
  const expected = expectedRows(model.values(), asked).map(({ id }) => id);
  const filter = {
    period: asked.period ?? null,
    facets: asked.fields,
    days: { from: asked.from ?? null, to: asked.to ?? null },
  };
  for (const limit of LIMITS)
    for (let offset = 0; offset <= expected.length; offset += 7) {
      const page = { rows: [] as Row[], total: 0 };
      const { inTurn } = await tableCallsOf(async () => {
        Object.assign(page, await readPage({ address, scope: taxRcv, filter, offset, limit }, summary));
      });
      expect(page.total).toBe(expected.length);
      expect(page.rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + limit));
      expect(inTurn, `offset ${offset}, limit ${limit}`).toBeLessThanOrEqual(TRIPS_MAX);
    }
};

/**
 * Months whose rows are all, or nearly all, on the wrong side of a bound: a reader that guesses by days guesses wrong.
 */
const lopsided = (spread: Spread, isTold: boolean): Month[] =>
  PERIODS.map((_, at) => ({ rows: at === PERIODS.length - 1 ? 40 : 7, spread, isTold }));
const EXAMPLES = (['ends', 'starts', 'late', 'undated'] as const).flatMap((spread) =>
  [true, false].map((isTold): [Month[], Question[]] => [
    lopsided(spread, isTold),
    [
      { from: undefined, to: '2026-11-10', direction: undefined },
      { from: '2026-07-10', to: '2026-11-27', direction: 'issued' },
    ],
  ]),
);

test('no page takes more than four round trips, for any days of its rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(month, { minLength: PERIODS.length, maxLength: PERIODS.length }),
      fc.array(
        fc.record<Question>({ from: bound, to: bound, direction: fc.constantFrom(undefined, 'issued', 'received') }),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      async (months, questions) => {
        const synced = await newSyncedScope(taxRcv);
        await fill(synced, months);
        const summary = await summaryOf(synced, months);
        for (const { from, to, direction } of questions)
          await judge(synced, summary, { from, to, fields: { direction } });
      },
    ),
    { numRuns: (IS_WHOLE ? 10 : 1) + EXAMPLES.length, examples: EXAMPLES },
  );
}, 60_000);
