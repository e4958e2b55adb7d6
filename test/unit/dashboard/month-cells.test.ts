/** The cells of the month matrix: one state per month, and no state that is better than one of its scopes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConnectionCoverage,
  isUrgent,
  listParts,
  MONTH_STATES,
  type MonthState,
  readState,
} from '../../../dashboard/src/months/cells.ts';
import {
  countWithoutMonths,
  filterRows,
  findName,
  listCompanyRows,
  listScopeRows,
} from '../../../dashboard/src/months/matrix-rows.ts';
import { countLacking, planSyncs } from '../../../dashboard/src/months/plan-syncs.ts';
import { listMonths } from '../../../dashboard/src/text/month.ts';

type Scope = ConnectionCoverage['scopes'][number];
type Month = Scope['periods'][number];

const CURRENT = '2026-11';
const MONTHS = listMonths('2025-12', CURRENT);
const ASKED = { months: MONTHS, current: CURRENT };
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  tax: ['rcv', 'boletas', 'guias'],
  bankone: ['movements', 'balances'],
  procurement: ['licitaciones'],
};

const covered = (period: string, change: Partial<Month> = {}): Month => ({
  ...{ period, rows: 3, state: 'complete', reason: null, is_open: false },
  ...{ as_of: '2026-11-20T12:00:00.000Z', verdict: 'equal', ...change },
});

const anyMonth = (period: string): fc.Arbitrary<Month> =>
  fc.record({
    period: fc.constant(period),
    rows: fc.nat(9),
    state: fc.constantFrom('complete', 'partial', 'never'),
    reason: fc.constantFrom(null, 'source.unavailable', 'source.invalid_credentials', 'tax.guias.out_of_window'),
    is_open: fc.boolean(),
    as_of: fc.constant('2026-11-20T12:00:00.000Z'),
    verdict: fc.constantFrom('equal', 'differs', 'not_told'),
  });

/** Months in any order, some of them missing, some outside of the range. */
const anyPeriods: fc.Arbitrary<Month[]> = fc
  .shuffledSubarray(['2025-10', ...MONTHS])
  .chain((periods) => fc.tuple(...periods.map(anyMonth)));

const anyScopes = (source: string): fc.Arbitrary<ConnectionCoverage['scopes']> =>
  fc.subarray([...SCOPES[source]!]).chain((scopes) =>
    fc.tuple(
      ...scopes.map((scope) =>
        scope === 'balances'
          ? fc.constant<Scope>({ scope, periods: [covered('2026-10', { period: null })] })
          : fc.record({
              scope: fc.constant(scope),
              periods: source === 'procurement' ? fc.constant<Month[]>([]) : anyPeriods,
            }),
      ),
    ),
  );

const anyConnection: fc.Arbitrary<ConnectionCoverage> = fc
  .tuple(fc.constantFrom('tax', 'bankone', 'procurement'), fc.uuid(), fc.constantFrom(null, '1-9', '2-7'))
  .chain(([source, id, rut]) =>
    fc.record({
      connection_id: fc.constant(id),
      external_source_code: fc.constant(source),
      name: fc.constantFrom('Uno', 'Dos'),
      company_name: fc.constantFrom(null, 'Ñandú SpA'),
      company_rut: fc.constant(rut),
      scopes: anyScopes(source),
    }),
  );

const anyConnections = fc.uniqueArray(anyConnection, { maxLength: 6, selector: (each) => each.connection_id });

/** The months of the scopes that are read by month, without the code under test. */
const monthly = ({ external_source_code: source, scopes }: ConnectionCoverage) =>
  source === 'procurement' ? [] : scopes.filter(({ scope }) => scope !== 'balances');

const find = (all: readonly ConnectionCoverage[], id: string) => all.find((each) => each.connection_id === id)!;
const monthsOf = (all: readonly ConnectionCoverage[], ids: readonly string[], period: string): (Month | undefined)[] =>
  ids.flatMap((id) => monthly(find(all, id)).map(({ periods }) => periods.find((each) => each.period === period)));

describe('a month of one scope', () => {
  it.each<[string, Partial<Month> | null, MonthState]>([
    ['complete with equal totals', {}, 'equal'],
    ['complete without totals', { verdict: 'not_told' }, 'complete'],
    ['complete with other totals', { verdict: 'differs' }, 'differs'],
    ['partial with other totals', { state: 'partial', verdict: 'differs' }, 'differs'],
    ['partial with equal totals of an earlier reading', { state: 'partial' }, 'partial'],
    ['partial with provisional rows', { state: 'partial', is_open: true }, 'partial'],
    ['complete with provisional rows', { is_open: true }, 'open'],
    ['never shown', { state: 'never', verdict: 'not_told', rows: 0 }, 'missing'],
    ['never requested', null, 'unasked'],
  ])('%s', (_, change, state) => {
    expect(readState(change === null ? null : covered('2026-10', change), '2026-10', CURRENT)).toBe(state);
  });

  it('is open if it is the current one, in whatever state its rows are', () => {
    for (const change of [{}, { state: 'partial' }, { verdict: 'differs' }] as const)
      expect(readState(covered(CURRENT, change), CURRENT, CURRENT)).toBe('open');
    expect(readState(null, CURRENT, CURRENT)).toBe('open');
  });
});

describe('the cells of a row', () => {
  it('have exactly one state for every month of the range, newest first', () => {
    fc.assert(
      fc.property(anyConnections, (all) => {
        const rows = [
          ...listCompanyRows(all, ASKED),
          ...all.flatMap((each) => listScopeRows(all, each.connection_id, ASKED)),
        ];
        for (const { cells } of rows) {
          expect(cells.map(({ period }) => period)).toEqual(MONTHS);
          expect(cells.every(({ state }) => MONTH_STATES.includes(state))).toBe(true);
        }
      }),
    );
  });

  it('are equal only if the totals of every scope are equal, and complete only if every scope is', () => {
    fc.assert(
      fc.property(anyConnections, (all) => {
        for (const { cells, connectionIds } of listCompanyRows(all, ASKED))
          for (const { period, state } of cells) {
            const months = monthsOf(all, connectionIds, period);
            const isComplete = months.every((month) => month?.state === 'complete');
            const isEqual = months.every((month) => month?.verdict === 'equal');
            if (state === 'equal') expect([isComplete, isEqual]).toEqual([true, true]);
            if (state === 'complete') expect(isComplete).toBe(true);
            // A difference is never hidden by another state of a past month.
            if (period !== CURRENT && months.some((month) => month?.verdict === 'differs'))
              expect(state).toBe('differs');
          }
      }),
    );
  });

  it('of a company contain each connection once, and leave out only those without months', () => {
    fc.assert(
      fc.property(anyConnections, (all) => {
        const shown = listCompanyRows(all, ASKED).flatMap(({ connectionIds }) => connectionIds);
        const expected = all.filter((each) => monthly(each).length > 0).map((each) => each.connection_id);
        expect(shown.filter((id) => expected.includes(id)).toSorted()).toEqual(expected.toSorted());
        expect(new Set(shown).size).toBe(shown.length);
        expect(countWithoutMonths(all, ASKED)).toBe(all.length - expected.length);
      }),
    );
  });
});

const connection = (id: string, change: Partial<ConnectionCoverage>): ConnectionCoverage => ({
  ...{ connection_id: id, external_source_code: 'tax', name: id, company_name: null, company_rut: null },
  ...{ scopes: [{ scope: 'rcv', periods: MONTHS.map((period) => covered(period)) }], ...change },
});

describe('companies', () => {
  const all = [
    connection('a', { company_rut: '76192083-9', company_name: 'Ñandú SpA' }),
    connection('b', { company_rut: '76192083-9' }),
    connection('c', { company_name: 'Ñandú SpA' }),
    connection('d', { scopes: [{ scope: 'rcv', periods: [] }] }),
    connection('e', { external_source_code: 'procurement', scopes: [{ scope: 'licitaciones', periods: [] }] }),
  ];

  it('join by RUT, else by name, else not at all; those with months to look at come first', () => {
    const rows = listCompanyRows(all, ASKED);
    expect(rows.map(({ name, connectionIds }) => [name, connectionIds])).toEqual([
      ['d', ['d']],
      ['Ñandú SpA', ['a', 'b']],
      ['Ñandú SpA', ['c']],
    ]);
    expect([findName(all, '76192083-9'), findName(all, 'b'), findName(all, 'x')]).toEqual([
      'Ñandú SpA',
      'b',
      undefined,
    ]);
  });

  it.each([
    ['nandu', 2],
    ['76.192', 1],
    ['761920839', 1],
    ['zorro', 0],
    ['', 3],
  ])('are found by %j', (text, found) => {
    expect(filterRows(listCompanyRows(all, ASKED), { text, isUrgentOnly: false })).toHaveLength(found);
  });

  it('are listed without those that need nothing', () => {
    const rows = filterRows(listCompanyRows(all, ASKED), { text: '', isUrgentOnly: true });
    expect(rows.map(({ name }) => name)).toEqual(['d']);
  });
});

it('a company whose only lack is too old needs nothing, but a difference always does', () => {
  const old = (verdict: Month['verdict']) =>
    connection('a', {
      scopes: [
        {
          scope: 'guias',
          periods: MONTHS.map((period) =>
            covered(period, { verdict, state: 'never', reason: 'tax.guias.out_of_window' }),
          ),
        },
      ],
    });
  const urgent = (all: ConnectionCoverage) =>
    filterRows(listCompanyRows([all], ASKED), { text: '', isUrgentOnly: true }).length;
  expect([urgent(old('not_told')), urgent(old('differs'))]).toEqual([0, 1]);
});

describe('a connection without access', () => {
  const refused = { state: 'never', verdict: 'not_told', reason: 'source.password_expired' } as const;
  const of = (newest: Partial<Month>) =>
    listParts(
      connection('a', {
        scopes: [
          {
            scope: 'rcv',
            periods: [
              covered(CURRENT, newest),
              covered('2026-10', refused),
              covered('2026-09'),
              covered('2026-08', { state: 'partial', reason: 'source.unavailable' }),
            ],
          },
        ],
      }),
      { months: MONTHS.slice(0, 4), current: CURRENT },
    ).flat();

  it('is shown in each month that it lacks for that reason, and no sync is planned for those', () => {
    const parts = of(refused);
    expect(parts.map(({ state }) => state)).toEqual(['refused', 'refused', 'equal', 'partial']);
    expect(planSyncs(parts).map(({ periods }) => periods)).toEqual([['2026-08']]);
    expect(countLacking(parts)).toEqual({ months: 1, connections: 1, tooOld: 0, refused: new Map([['a', 'a']]) });
  });

  it('has access again when a sync has read the newest month: then the others are missing', () => {
    expect(of({}).map(({ state }) => state)).toEqual(['open', 'missing', 'equal', 'partial']);
    expect(planSyncs(of({})).flatMap(({ periods }) => periods)).toEqual(['2026-08', '2026-10']);
  });
});

describe('the planned syncs', () => {
  it('request every month that a scope lacks once, and no other month', () => {
    fc.assert(
      fc.property(anyConnections, (all) => {
        const parts = all.flatMap((each) => listParts(each, ASKED).flat());
        const syncs = planSyncs(parts);
        const requested = syncs.flatMap(({ connectionId, scopes, periods }) =>
          scopes.flatMap((scope) => periods.map((period) => `${connectionId} ${scope} ${period}`)),
        );
        const lacking = parts.filter(
          (part) =>
            isUrgent(part) &&
            part.state !== 'refused' &&
            (part.state === 'differs' || part.covered?.reason !== 'tax.guias.out_of_window'),
        );
        expect(requested.toSorted()).toEqual(
          lacking.map(({ connectionId, scope, period }) => `${connectionId} ${scope} ${period}`).toSorted(),
        );
        // One connection after the other.
        const order = syncs.map(({ connectionId }) => connectionId);
        expect(order.filter((id, at) => id !== order[at - 1])).toEqual([...new Set(order)]);
        expect(countLacking(parts).connections).toBe(new Set(order).size);
      }),
    );
  });

  it('join scopes that lack the same months, and leave out months that are too old', () => {
    const all = connection('a', {
      scopes: [
        { scope: 'rcv', periods: MONTHS.slice(0, -1).map((period) => covered(period)) },
        { scope: 'boletas', periods: MONTHS.slice(0, -1).map((period) => covered(period)) },
        {
          scope: 'guias',
          periods: MONTHS.map((period) =>
            covered(period, period < '2026-06' ? { state: 'never', reason: 'tax.guias.out_of_window' } : {}),
          ),
        },
      ],
    });
    const parts = listParts(all, ASKED).flat();
    expect(planSyncs(parts)).toEqual([
      { connectionId: 'a', connection: 'a', scopes: ['rcv', 'boletas'], periods: ['2025-12'] },
    ]);
    expect(countLacking(parts)).toEqual({ months: 1, connections: 1, tooOld: 6, refused: new Map() });
  });
});
