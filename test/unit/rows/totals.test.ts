/**
 * Totals of a source compared with the sums of the stored rows: by group, exact, and groups never offset each other.
 */
import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packTotals, unpackTotals } from '#shared/rows/index/totals-codec.ts';
import {
  type CountedRow,
  compareRowsAlone,
  compareWithTotals,
  differencesIn,
  packAmounts,
  unknownAmounts,
} from '#shared/rows/item/totals.rules.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import type { Row, TotalsDefinition } from '#shared/scopes/scope.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import type { ToldTotal, ToldTotals } from '#shared/values/source-totals.ts';

const RCV: TotalsDefinition = taxRcv.totals!;
const MAX = { groups: 1_000, ids: 10 };
const AMOUNTS = { net_amount: '100', vat_amount: '19', exempt_amount: '0', total_amount: '119' };

const rcvRow = (change: Row = {}): Row => ({
  ...{ direction: 'received', estado: 'registro', document_type: '33' },
  ...AMOUNTS,
  ...change,
});

const counted = (definition: TotalsDefinition, rows: readonly Row[], isShown = true): CountedRow[] =>
  rows.map((row, at) => ({ id: `${isShown ? 'row' : 'gone'}-${at}`, amounts: packAmounts(definition, row), isShown }));

const GROUP = { direction: 'received', estado: 'registro', document_type: '33' };
const told = (...totals: ToldTotal[]): ToldTotals => ({ totals, whole: [] });
const total = (figures: ToldTotal['figures'], group: ToldTotal['group'] = GROUP): ToldTotal => ({ group, figures });

const compare = (what: ToldTotals, rows: readonly CountedRow[], definition = RCV) =>
  compareWithTotals(definition, what, rows, MAX);

describe('a group', () => {
  test('is equal by value, with any scale', () => {
    const rows = counted(RCV, [rcvRow(), rcvRow({ total_amount: '0.50' })]);
    const { verdict, groups } = compare(told(total({ rows: '2', total_amount: '119.5000' })), rows);
    expect([verdict, groups[0]!.verdict]).toEqual(['equal', 'equal']);
  });

  test('differs by the smallest part of a unit, with both figures', () => {
    const totals = compare(told(total({ rows: '1', total_amount: '119.01' })), counted(RCV, [rcvRow()]));
    expect(totals.verdict).toBe('differs');
    expect(differencesIn(totals)).toEqual([
      { group: GROUP, figure: 'total_amount', institution: '119.01', ours: '119' },
    ]);
  });

  test('our null counts as 0', () => {
    const rows = counted(RCV, [rcvRow({ net_amount: null })]);
    expect(compare(told(total({ net_amount: '0' })), rows).verdict).toBe('equal');
  });

  test('their null is not reported, and compared with nothing', () => {
    const totals = compare(told(total({ net_amount: null })), counted(RCV, [rcvRow()]));
    expect(totals).toMatchObject({ verdict: 'not_told', groups: [{ verdict: 'not_told' }] });
    expect(totals.groups[0]!.figures).toEqual([{ figure: 'net_amount', institution: null, ours: '100' }]);
  });

  test('an amount that the answer does not carry and that was not read makes its figure not compared', () => {
    const rows = counted(RCV, [rcvRow(), rcvRow({ net_amount: undefined })]);
    const { groups } = compare(told(total({ rows: '2', net_amount: '7' })), rows);
    expect(groups[0]!.figures).toEqual([
      { figure: 'rows', institution: '2', ours: '2' },
      { figure: 'net_amount', institution: '7', ours: null },
    ]);
  });

  test('a stored row that could not be read leaves every group open that it may be of', () => {
    const unread = { id: 'x', amounts: unknownAmounts(RCV, { direction: 'received' }), isShown: false };
    const { verdict, groups } = compare(told(total({ rows: '1' })), [...counted(RCV, [rcvRow()]), unread]);
    expect([verdict, groups[0]!.figures[0]!.ours]).toEqual(['not_told', null]);
  });

  test('of credit notes is compared within its type: it nets nothing, however the sums would', () => {
    const rows = counted(RCV, [
      rcvRow({ total_amount: '300' }),
      ...['60', '61', '106', '112'].map((document_type) => rcvRow({ document_type, total_amount: '100' })),
    ]);
    const notes = ['60', '61', '106', '112'].map((document_type) =>
      total({ total_amount: '100' }, { ...GROUP, document_type }),
    );
    expect(compare(told(total({ total_amount: '300' }), ...notes), rows).verdict).toBe('equal');
    // Invoices of 200 and no notes have the same balance, but are another register.
    expect(compare(told(total({ total_amount: '-100' })), rows).verdict).toBe('differs');
    const [first] = differencesIn(compare(told(total({ total_amount: '400' }), ...notes), rows));
    expect(first).toMatchObject({ group: GROUP, institution: '400', ours: '300' });
  });

  test('that is listed only is shown, and compared with nothing', () => {
    const monthly: ToldTotal = { ...total({ rows: '400', total_amount: '5' }), isListedOnly: true };
    expect(compare(told(monthly), [])).toEqual({
      verdict: 'not_told',
      leftOut: 0,
      groups: [
        {
          group: GROUP,
          verdict: 'not_told',
          figures: [
            { figure: 'rows', institution: '400', ours: null },
            { figure: 'total_amount', institution: '5', ours: null },
          ],
        },
      ],
    });
  });

  test('that is withheld is compared with no rows', () => {
    expect(differencesIn(compare(told(total({ rows: '9000' })), []))).toMatchObject([
      { figure: 'rows', institution: '9000', ours: '0' },
    ]);
  });

  test('may come from two reporters, each compared separately', () => {
    const days = counted(taxBoletas.totals!, [{ document_type: '39', total_documentos: 3, ...AMOUNTS }]);
    const by = (told_by: string, count: string) => total({ total_documentos: count }, { document_type: '39', told_by });
    const totals = compare(told(by('days', '3'), by('register', '4')), days, taxBoletas.totals!);
    expect(totals.groups.map(({ group, verdict }) => [group.told_by, verdict])).toEqual([
      ['register', 'differs'],
      ['days', 'equal'],
    ]);
  });
});

describe('a statement', () => {
  const ACCOUNT = { numero_cuenta: '123' };
  const definition = bankoneMovements.totals!;
  const rows = counted(definition, [
    { numero_cuenta: '00-123', amount: '-40.50' },
    { numero_cuenta: '00-123', amount: '100' },
    { numero_cuenta: '456', amount: '7' },
  ]);

  test('opening and its movements give the closing balance', () => {
    const what = told(total({ opening: '10', closing: '69.50', charges: '40.5', credits: '100', rows: '2' }, ACCOUNT));
    const { verdict, groups } = compare(what, rows, definition);
    expect(verdict).toBe('equal');
    expect(groups[0]!.figures[0]).toEqual({ figure: 'opening', institution: '10', ours: null });
  });

  test('another closing balance differs by the difference', () => {
    const totals = compare(told(total({ opening: '10', closing: '70' }, ACCOUNT)), rows, definition);
    expect(differencesIn(totals)).toEqual([{ group: ACCOUNT, figure: 'closing', institution: '70', ours: '69.5' }]);
  });

  test('without an opening balance its closing one is compared with nothing', () => {
    expect(compare(told(total({ opening: null, closing: '70' }, ACCOUNT)), rows, definition).verdict).toBe('not_told');
  });
});

describe('a part that was reported as a whole', () => {
  const BOOK = { direction: 'received', estado: 'registro' };
  const whole: ToldTotals = { totals: [], whole: [BOOK] };

  test('without any group is a total of nothing', () => {
    expect(compare(whole, [])).toMatchObject({ verdict: 'equal', groups: [{ group: BOOK, verdict: 'equal' }] });
  });

  test('next to stored rows of a type that it does not name: they differ, and are reported as no longer shown', () => {
    const rows = counted(RCV, [rcvRow(), rcvRow({ document_type: '61' })], false);
    const totals = compare({ ...whole, totals: [total({ rows: '1' })] }, rows);
    expect(totals.groups).toMatchObject([
      { group: { ...GROUP, document_type: '61' }, verdict: 'differs', notShown: { rows: 1, ids: ['gone-1'] } },
      { group: GROUP, verdict: 'equal', notShown: { rows: 1, ids: ['gone-0'] } },
    ]);
    expect(differencesIn(totals)[0]).toMatchObject({ figure: 'rows', institution: '0', ours: '1' });
  });

  test('says nothing of another part', () => {
    const rows = counted(RCV, [rcvRow({ estado: 'pendiente' })], false);
    expect(compare({ ...whole, totals: [total({ rows: '0' })] }, rows).verdict).toBe('equal');
  });
});

test('of many rows that are no longer shown the first are named', () => {
  const rows = counted(
    RCV,
    Array.from({ length: 25 }, () => rcvRow()),
    false,
  );
  const [group] = compare(told(total({ rows: '0' })), rows).groups;
  expect(group!.notShown).toEqual({ rows: 25, ids: rows.slice(0, MAX.ids).map(({ id }) => id) });
});

describe('above the limit of rows that are read', () => {
  const rows = counted(RCV, [rcvRow(), rcvRow({ document_type: '34' }), rcvRow({ estado: 'pendiente' })]);
  const what: ToldTotals = {
    totals: [
      total({ rows: '1', total_amount: '119' }),
      total({ rows: '1', total_amount: '119' }, { ...GROUP, document_type: '34' }),
      // The book's own count of both documents.
      total({ rows: '5' }, { direction: 'received', estado: 'registro' }),
      { ...total({ rows: '70' }, { ...GROUP, document_type: '39' }), isListedOnly: true },
    ],
    whole: [],
  };

  test('only the number of rows is compared, over everything reported', () => {
    const { verdict, groups } = compareRowsAlone(RCV, what, { rows, notShown: 1_001 }, MAX);
    expect(verdict).toBe('differs');
    expect(groups[0]).toEqual({
      group: {},
      verdict: 'differs',
      figures: [{ figure: 'rows', institution: '2', ours: '1003' }],
      notShown: { rows: 1_001, ids: [] },
    });
    expect(groups.slice(1).every(({ figures }) => figures.every(({ ours }) => ours === null))).toBe(true);
  });

  test('without a number of rows it is compared with nothing', () => {
    const without = { totals: [total({ total_amount: '119' })], whole: [] };
    expect(compareRowsAlone(RCV, without, { rows, notShown: 1_001 }, MAX).verdict).toBe('not_told');
  });
});

test('groups above the limit are counted, those that differ are listed first, and the verdict is over all', () => {
  const groups = Array.from({ length: 5 }, (_, n) =>
    total({ rows: n === 4 ? '1' : '0' }, { ...GROUP, document_type: String(n) }),
  );
  const totals = compareWithTotals(RCV, told(...groups), [], { ...MAX, groups: 2 });
  expect(totals).toMatchObject({ verdict: 'differs', leftOut: 3 });
  expect(totals.groups[0]!.group.document_type).toBe('4');
});

describe('properties', () => {
  const amount = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => Big(cents).div(100).toFixed());
  const type = fc.constantFrom('33', '34', '46', '56', '60', '61', '106', '112');
  const row = fc
    .record({ ...Object.fromEntries(Object.keys(AMOUNTS).map((field) => [field, amount])) })
    .chain((amounts) => type.map((document_type) => rcvRow({ ...amounts, document_type })));
  const register = fc.array(row, { maxLength: 40 });
  const FIGURES = Object.keys(AMOUNTS);

  /** The totals that an honest institution reports for these rows. */
  const honest = (rows: readonly Row[]): ToldTotal[] =>
    [...Map.groupBy(rows, ({ document_type }) => String(document_type))].map(([document_type, of]) =>
      total(
        {
          rows: String(of.length),
          ...Object.fromEntries(
            FIGURES.map((field) => [field, of.reduce((sum, each) => sum.plus(String(each[field])), Big(0)).toFixed()]),
          ),
        },
        { ...GROUP, document_type },
      ),
    );

  test('an honest institution never differs, for any order of rows', () => {
    fc.assert(
      fc.property(register, fc.integer(), (rows, seed) => {
        const shuffled = rows.toSorted((a, b) => (JSON.stringify([seed, a]) < JSON.stringify([seed, b]) ? -1 : 1));
        const what = { totals: honest(rows), whole: [{ direction: 'received', estado: 'registro' }] };
        expect(differencesIn(compare(what, counted(RCV, shuffled)))).toEqual([]);
      }),
    );
  });

  test('one changed figure is the one that differs, with both values', () => {
    fc.assert(
      fc.property(
        register.filter((rows) => rows.length > 0),
        fc.nat(),
        fc.nat(),
        amount.filter((by) => !Big(by).eq(0)),
        (rows, group, figure, by) => {
          const totals = honest(rows);
          const told = totals[group % totals.length]!;
          const names = Object.keys(told.figures);
          const name = names[figure % names.length]!;
          const right = told.figures[name]!;
          told.figures[name] = Big(right).plus(by).toFixed();
          expect(differencesIn(compare({ totals, whole: [] }, counted(RCV, rows)))).toEqual([
            { group: told.group, figure: name, institution: told.figures[name], ours: Big(right).toFixed() },
          ]);
        },
      ),
    );
  });

  test('what is stored of totals is what was compared', () => {
    fc.assert(
      fc.property(register, register, (rows, others) => {
        const totals = compare(
          { totals: honest(others), whole: [{ direction: 'received' }] },
          counted(RCV, rows, false),
        );
        expect(unpackTotals(packTotals(totals))).toEqual(totals);
      }),
    );
  });
});
