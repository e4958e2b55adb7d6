/**
 * Questions of an accountant: a scripted agent answers them only with the tools, and the answers are compared with the
 * ledger of the simulated institutions. No code of the service is between the ledger and the comparison.
 */
import { Big } from 'big.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { nowMs } from '#shared/platform/clock.ts';
import type { Doc } from '#shared/sources/tax/sandbox/document.ts';
import { createState, type State } from '#shared/sources/tax/sandbox/state.ts';
import { type AccountantWorld, CLOSED, OPEN, startAccountantWorld } from '#test/helpers/accountant-world.ts';
import type { Structured } from '#test/helpers/agent-client.ts';
import { type Agent, groupOf } from '#test/helpers/agent-questions.ts';
import { STAGE_TIMEOUT_MS } from '../sources/stage.ts';

let world: AccountantWorld;
let agent: Agent;
let rut: string;
/** The institution's state, built again from the same seed. */
let state: State;
let docs: readonly Doc[];

beforeAll(async () => {
  world = await startAccountantWorld({ connected: { tax: ['works'] } });
  rut = String(world.story('tax').entry.credentials.rut);
  state = createState({ now: nowMs });
  docs = state.register.documents(rut, CLOSED);
}, STAGE_TIMEOUT_MS);
afterAll(() => world.stop());
beforeEach(async () => {
  agent = await world.newAgent();
});

const ofTax = () => agent.connectionTo('tax');
const totalsOf = async (args: object, period = CLOSED) => {
  const groups = await agent.askAll('period_totals', 'groups', { ...args, period });
  const { net, rows } = await agent.ask('period_totals', { ...args, period });
  return { groups, net, rows };
};

const CREDIT_NOTES = [60, 61, 106, 112];
const signed = (of: readonly Doc[], field: 'net' | 'vat' | 'total'): string =>
  String(of.reduce((sum, doc) => sum + (CREDIT_NOTES.includes(doc.type) ? -doc[field] : doc[field]), 0));
const isSale = ({ operation, estado }: Doc): boolean => operation === 'VENTA' && estado === 'REGISTRO';
const isPurchase = ({ operation }: Doc): boolean => operation === 'COMPRA';
const added = (of: readonly Doc[], field: 'total' | 'vat'): string =>
  String(of.reduce((sum, doc) => sum + doc[field], 0));

test('1 how much VAT did we sell in October, credit notes taken off', async () => {
  const { net } = await totalsOf({ ...(await ofTax()), scope: 'rcv' });
  const sold = groupOf(net, { direction: 'issued', estado: 'registro' });
  expect(sold.sums.vat_amount).toBe(signed(docs.filter(isSale), 'vat'));
  expect(Number(sold.sums.vat_amount)).toBeGreaterThan(0);
});

test('2 how much VAT may we recover from the purchases of October', async () => {
  const { net } = await totalsOf({
    ...(await ofTax()),
    scope: 'rcv',
    filters: { direction: 'received', estado: 'registro' },
  });
  const wanted = docs.filter((doc) => isPurchase(doc) && doc.estado === 'REGISTRO');
  expect(net).toHaveLength(1);
  expect(net[0].sums.vat_amount).toBe(signed(wanted, 'vat'));
});

test('3 which purchases are pending', async () => {
  const filters = { direction: 'received', estado: 'pendiente' };
  const rows = await agent.askAll('search_rows', 'rows', {
    ...(await ofTax()),
    scope: 'rcv',
    period: OPEN,
    filters,
  });
  const wanted = state.register.documents(rut, OPEN).filter((doc) => isPurchase(doc) && doc.estado === 'PENDIENTE');
  expect(wanted.length).toBeGreaterThan(0);
  expect(rows.map(({ folio, issuer_rut }) => `${folio} ${issuer_rut}`).sort()).toEqual(
    wanted.map((doc) => `${doc.folio} ${doc.rut}`).sort(),
  );
});

test('4 which purchases did we claim, and for how much', async () => {
  const { groups, rows } = await totalsOf({
    ...(await ofTax()),
    scope: 'rcv',
    filters: { direction: 'received', estado: 'reclamado' },
  });
  const wanted = docs.filter((doc) => isPurchase(doc) && doc.estado === 'RECLAMADO');
  expect(rows).toBe(wanted.length);
  const total = groups.reduce((sum, { sums }) => sum.plus(sums.total_amount), Big(0));
  expect(total.toFixed()).toBe(added(wanted, 'total'));
});

test('5 how many documents did we issue', async () => {
  const { total } = await agent.ask('search_rows', {
    ...(await ofTax()),
    scope: 'rcv',
    period: CLOSED,
    filters: { direction: 'issued' },
    limit: 1,
  });
  expect(total).toBe(docs.filter(({ operation }) => operation === 'VENTA').length);
});

test('6 what did we sell by type of document', async () => {
  const filters = { direction: 'issued', estado: 'registro' };
  const { groups } = await totalsOf({ ...(await ofTax()), scope: 'rcv', filters });
  const wanted = [...Map.groupBy(docs.filter(isSale), ({ type }) => String(type))].map(([type, of]) => [
    type,
    of.length,
    added(of, 'total'),
  ]);
  expect(groups.map(({ group, rows, sums }) => [group.document_type, rows, sums.total_amount])).toEqual(wanted.sort());
});

test('7 how many credit notes did we give, and do they count against the sales', async () => {
  const { groups } = await totalsOf({ ...(await ofTax()), scope: 'rcv' });
  const notes = groupOf(groups, { direction: 'issued', estado: 'registro', document_type: '61' });
  const wanted = docs.filter((doc) => isSale(doc) && doc.type === 61);
  expect([notes.rows, notes.sums.total_amount, notes.subtracts]).toEqual([wanted.length, added(wanted, 'total'), true]);
});

test('8 how many receipts did we give in October, and how much VAT is in them', async () => {
  const { groups } = await totalsOf({ ...(await ofTax()), scope: 'boletas' });
  const { by } = (await world.ledger('tax')).boletas[CLOSED];
  expect(
    Object.fromEntries(groups.map(({ group, rows, sums }) => [group.document_type, { count: rows, sums }])),
  ).toEqual(by);
});

test('9 which day sold the most by receipts', async () => {
  const rows = await agent.askAll('search_rows', 'rows', {
    ...(await ofTax()),
    scope: 'boletas',
    period: CLOSED,
    filters: { document_type: '39' },
  });
  const best = rows.toSorted((a, b) => Number(b.total_amount) - Number(a.total_amount))[0];
  const days = state.boletas.days(rut, CLOSED, 39);
  const wanted = days.toSorted((a, b) => b.total - a.total)[0]!;
  expect([best.day, best.total_amount]).toEqual([wanted.day, String(wanted.total)]);
});

test('10 which dispatch guides went out and came in', async () => {
  const { groups } = await totalsOf({ ...(await ofTax()), scope: 'guias' });
  const { by } = (await world.ledger('tax')).guias[CLOSED];
  for (const [direction, { count, sums }] of Object.entries<Structured>(by)) {
    const told = groupOf(groups, { direction });
    expect([direction, told.rows, told.sums.total_amount, told.sums.vat_amount]).toEqual([
      direction,
      count,
      sums.total_amount,
      sums.vat_amount,
    ]);
  }
});

test('11 what was the largest purchase, and what does its document say', async () => {
  const of = { ...(await ofTax()), scope: 'rcv' };
  const rows = await agent.askAll('search_rows', 'rows', {
    ...of,
    period: CLOSED,
    filters: { direction: 'received' },
    fields: ['folio', 'issuer_rut', 'total_amount'],
    limit: 50,
  });
  const largest = rows.toSorted((a, b) => Number(b.total_amount) - Number(a.total_amount))[0];
  const wanted = docs.filter(isPurchase).toSorted((a, b) => b.total - a.total)[0]!;
  expect([largest.total_amount, largest.folio, largest.issuer_rut]).toEqual([
    String(wanted.total),
    String(wanted.folio),
    wanted.rut,
  ]);
  const { document } = await agent.ask('get_document', { ...of, id: largest.id });
  expect([document.net_amount, document.vat_amount, document.document_type]).toEqual([
    String(wanted.net),
    String(wanted.vat),
    String(wanted.type),
  ]);
});

test('12 from whom did we buy most', async () => {
  const rows = await agent.askAll('search_rows', 'rows', {
    ...(await ofTax()),
    scope: 'rcv',
    period: CLOSED,
    filters: { direction: 'received', estado: 'registro' },
    fields: ['issuer_rut', 'document_type', 'total_amount'],
    limit: 50,
  });
  const best = (pairs: readonly (readonly [string, Big])[]): [string, string] => {
    const sums = [...Map.groupBy(pairs, ([rut]) => rut)].map(
      ([rut, of]) => [rut, of.reduce((sum, [, amount]) => sum.plus(amount), Big(0))] as const,
    );
    const [rut, sum] = sums.toSorted((a, b) => b[1].cmp(a[1]))[0]!;
    return [rut, sum.toFixed()];
  };
  const sign = (type: number | string): number => (CREDIT_NOTES.includes(Number(type)) ? -1 : 1);
  const wanted = docs.filter((doc) => isPurchase(doc) && doc.estado === 'REGISTRO');
  expect(best(rows.map((row) => [row.issuer_rut, Big(row.total_amount).times(sign(row.document_type))]))).toEqual(
    best(wanted.map((doc) => [doc.rut, Big(doc.total).times(sign(doc.type))])),
  );
});
