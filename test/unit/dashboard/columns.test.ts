/** The columns of tables and files: the other party, words, currencies, and the order of sorted rows. */
import Big from 'big.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportColumns, tableColumns, withValues } from '../../../dashboard/src/data/columns/build-columns.ts';
import { cellText } from '../../../dashboard/src/data/columns/column.ts';
import { LAYOUTS } from '../../../dashboard/src/data/columns/layouts.ts';
import { readCounterparty } from '../../../dashboard/src/data/columns/read-parties.ts';
import { nextSort, parseSort, sortRows } from '../../../dashboard/src/data/columns/sort-rows.ts';
import { findResource } from '../../../dashboard/src/data/find-resource.ts';
import type { Row } from '../../../dashboard/src/data/resource.ts';
import { RESOURCES } from '../../../dashboard/src/data/resources.gen.ts';

const rcv = findResource('tax', 'rcv')!;
const document = {
  direction: 'issued',
  document_type: '33',
  folio: '0123',
  issuer_rut: '70000002-8',
  issuer_name: null,
  receiver_rut: '76192083-9',
  receiver_name: 'Ñandú SpA',
  issued_at: '2026-10-01',
  net_amount: '1000',
  total_amount: '1190',
  currency: 'CLP',
};
const shown = (row: Row, scope = rcv): Record<string, string | null> =>
  Object.fromEntries(
    withValues(tableColumns(scope, false), [row]).map((column) => [column.name, cellText(column, row)]),
  );

describe('the other party', () => {
  it.each([
    ['issued', { receiver_name: 'B' }, '2'],
    ['received', { issuer_name: 'B' }, '1'],
    // Purchase invoices: the buyer issues, so the other party of a received one is the receiver.
    ['received', { receiver_name: 'B', document_type: '46' }, '2'],
    ['issued', { issuer_name: 'B', document_type: '45' }, '1'],
  ])('is found by the name, direction %s, %j', (direction, more, rut) => {
    const row = { direction, issuer_rut: '1', issuer_name: null, receiver_rut: '2', receiver_name: null, ...more };
    expect(readCounterparty(row)).toEqual({ name: 'B', rut });
  });

  it.each([
    ['issued', '33', '2'],
    ['received', '33', '1'],
    ['received', '46', '2'],
    ['issued', '45', '1'],
  ])('is found by the direction without names: %s %s', (direction, document_type, rut) => {
    const row = {
      direction,
      document_type,
      issuer_rut: '1',
      issuer_name: null,
      receiver_rut: '2',
      receiver_name: null,
    };
    expect(readCounterparty(row)).toEqual({ name: null, rut });
  });
});

describe('tables', () => {
  it('show date, document, other party and amounts of the register first', () => {
    expect(Object.keys(shown(document)).slice(0, 5)).toEqual([
      'issued_at',
      'document',
      'counterparty_name',
      'net_amount',
      'total_amount',
    ]);
    const party = tableColumns(rcv, false).find(({ name }) => name === 'counterparty_name');
    expect([party?.read(document), party?.readSecond?.(document)]).toEqual(['Ñandú SpA', '76.192.083-9']);
  });

  it('show in the four columns of a phone the total, the direction and the state, and nothing twice', () => {
    const columns = withValues(tableColumns(rcv, true), [document]);
    expect(columns.slice(0, 4).map(({ name }) => name)).toEqual([
      'issued_at',
      'document',
      'counterparty_name',
      'total_amount',
    ]);
    const reclaimed = { ...document, estado: 'reclamado' };
    expect([columns[0]?.readSecond?.(reclaimed), columns[3]?.readSecond?.(reclaimed)]).toEqual(['Issued', 'Claimed']);
    const others = Object.keys(shown(document)).filter((name) => name !== 'direction' && name !== 'estado');
    expect(columns.map(({ name }) => name).toSorted()).toEqual(others.toSorted());
  });

  it('leave an amount that a phone shows anyway in its place', () => {
    const balances = findResource('bankone', 'balances')!;
    const [phone, wide] = [true, false].map((isPhone) => tableColumns(balances, isPhone).map(({ name }) => name));
    expect(phone).toEqual(wide);
  });

  it('of a phone show the direction of every scope that has one', () => {
    const directed = RESOURCES.filter((each) => tableColumns(each, false).some(({ name }) => name === 'direction'));
    expect(directed.length).toBeGreaterThan(2);
    for (const resource of directed) {
      const [first] = tableColumns(resource, true);
      expect(first?.readSecond?.({ direction: 'received' })).toBe('Received');
    }
  });

  it('have a layout for every scope, whose names exist', () => {
    for (const resource of RESOURCES) {
      const layout = LAYOUTS[`${resource.source}.${resource.scope}`] ?? [];
      expect(layout.length).toBeGreaterThan(3);
      const unknown = layout.filter(
        (name) => !name.startsWith('@') && !resource.fields.some((field) => field.name === name),
      );
      // Layouts of banks name the columns of all banks.
      if (!/movements|balances/.test(resource.scope)) expect(unknown).toEqual([]);
    }
  });

  it('say a charge once, in the words of a bank', () => {
    const movements = findResource('bankone', 'movements')!;
    const row = { tipo: 'C', direction: 'issued', amount: '-5', currency: 'CLP', fecha_movimiento: '2026-10-01' };
    expect(shown(row, movements)).toMatchObject({ tipo: 'Charge', amount: '-5' });
    expect(shown(row, movements)).not.toHaveProperty('direction');
  });

  it('show the currency where it is not the peso, or is unknown', () => {
    const movements = findResource('bankone', 'movements')!;
    const amount = (currency: string | null) => shown({ amount: '1234.50', currency }, movements).amount;
    expect([amount('CLP'), amount('USD'), amount('CLF'), amount(null)]).toEqual([
      '1,234.50',
      'USD 1,234.50',
      'UF 1,234.50',
      '1,234.50 (currency not reported)',
    ]);
  });
});

describe('files', () => {
  it('begin with the columns of the table, have no ids, and have the other party once', () => {
    const names = exportColumns(rcv).map(({ name }) => name);
    expect(names.slice(0, 10)).toEqual([
      'issued_at',
      'document_type',
      'document_type_code',
      'folio',
      'counterparty_rut',
      'counterparty_name',
      'net_amount',
      'exempt_amount',
      'vat_amount',
      'total_amount',
    ]);
    for (const absent of ['id', 'issuer_rut', 'receiver_name', 'created_at']) expect(names).not.toContain(absent);
    for (const present of ['currency', 'received_at', 'referenced_folio']) expect(names).toContain(present);
  });

  it.each(RESOURCES.map((resource) => [`${resource.source}.${resource.scope}`, resource] as const))(
    '%s: every column has its own name and its own header',
    (_, resource) => {
      const columns = exportColumns(resource);
      expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
      expect(new Set(columns.map(({ head }) => head)).size).toBe(columns.length);
    },
  );
});

describe('sorting', () => {
  const total = tableColumns(rcv, false).find(({ name }) => name === 'total_amount')!;

  it('orders amounts of any length as decimals, and puts unknown ones last', () => {
    const amount = fc.option(fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(99)), { nil: null });
    void fc.assert(
      fc.property(fc.array(amount), fc.boolean(), (amounts, isDescending) => {
        const rows = amounts.map((parts) => ({ total_amount: parts === null ? null : `${parts[0]}.${parts[1]}` }));
        const sorted = sortRows(rows, total, isDescending);
        expect(sorted).toHaveLength(rows.length);
        const values = sorted.map(({ total_amount }) => total_amount as string | null);
        for (const [at, value] of values.entries()) {
          const next = values[at + 1];
          if (value === null) expect(next ?? null).toBeNull();
          else if (next) expect(Big(value).cmp(next) * (isDescending ? -1 : 1)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });

  it('orders documents by type and then by folio as numbers', () => {
    const column = tableColumns(rcv, false).find(({ name }) => name === 'document')!;
    const rows = ['10', '9', '100'].map((folio) => ({ document_type: '33', folio }));
    expect(sortRows(rows, column, false).map(({ folio }) => folio)).toEqual(['9', '10', '100']);
    expect(sortRows(rows, column, true).map(({ folio }) => folio)).toEqual(['100', '10', '9']);
  });

  it('turns from ascending to descending to the order of the API', () => {
    expect(nextSort(null, 'a')).toBe('a');
    expect(nextSort(parseSort('a'), 'a')).toBe('-a');
    expect(nextSort(parseSort('-a'), 'a')).toBe('');
    expect(nextSort(parseSort('-a'), 'b')).toBe('b');
    expect(parseSort(null)).toBeNull();
  });
});
