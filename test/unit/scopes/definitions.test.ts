/**
 * Rows of every scope have exactly the fields of service.md, and keys by which two readings of the same thing give one
 * row.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { newRow } from '#shared/rows/item/row-items.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';
import { bankoneTransfers } from '#shared/scopes/bankone-transfers.ts';
import { type Row, type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';

const MOVEMENT =
  'id period numero_cuenta currency fecha_movimiento descripcion documento amount saldo_contable tipo direction';
const BALANCE = 'id numero_cuenta currency observed_at saldo_contable saldo_disponible';
const RCV = `id period direction document_type folio issuer_rut issuer_name receiver_rut receiver_name issued_at received_at
  net_amount exempt_amount vat_amount total_amount currency status estado referenced_document_type referenced_folio
  acknowledged_at claimed_at transaction_type created_at`;

/** Copied from service.md, "Resources and their fields". */
const LISTED: Record<string, string> = {
  'tax.rcv': RCV,
  'tax.boletas': `id period document_type day total_amount date total_documentos net_amount exempt_amount vat_amount
    channel updated_at`,
  'tax.guias': `id period direction folio issued_at counterparty_rut counterparty_name total_amount vat_amount status`,
  'bankone.transfers': `id period direction transferred_at amount numero_transaccion currency subject counterparty_rut
    counterparty_name counterparty_bank`,
  'bankone.balances': `${BALANCE} saldo_provisorio`,
  'bankone.movements': MOVEMENT,
  'bankone.nominas': `id period numero_nomina nomina_date tipo cuenta_cargo estado num_registros monto currency`,
  'banktwo.movements': `id numero_cuenta period fecha_movimiento fecha_contable descripcion amount saldo_contable tipo
    mnemonico direction category counterparty_name counterparty_rut counterparty_bank counterparty_account`,
  'banktwo.balances': `${BALANCE} saldo_contable_9am retencion`,
  'bankthree.movements': MOVEMENT,
  'bankthree.balances': BALANCE,
};

const words = (text: string): string[] => text.trim().split(/\s+/).sort();
const fieldsOf = (schema: z.ZodObject | null | undefined): string[] => Object.keys(schema?.shape ?? {}).sort();

const listed = SCOPES.filter(({ resource }) => resource !== null);
const named = listed.map((scope): [string, ScopeDefinition] => [scopeId(scope), scope]);

test('every scope of decisions.md §4 is defined, and every manifest names scopes that are', () => {
  expect(named.map(([name]) => name).sort()).toEqual(Object.keys(LISTED).sort());
  const known = new Set(SCOPES.map(scopeId));
  for (const { code, scopes } of MANIFESTS)
    for (const name of scopes) expect(known).toContain(scopeId({ source: code, name }));
});

describe.each(named)('%s', (name, scope) => {
  const row = (n = 1, period = '2026-10'): Row => scope.parsed.parse(ROW_MAKERS[name]!(randomFrom(n), period, n));

  test('lists the fields of service.md and no other', () => {
    expect(fieldsOf(scope.listRow)).toEqual(words(LISTED[name]!));
  });

  test('publishes filters and sync metadata that refuse what they do not know', () => {
    for (const schema of [scope.filters, scope.syncMetadata]) {
      const published = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
      expect(published).toMatchObject({ type: 'object', additionalProperties: false });
      expect(published.required).toBeUndefined();
    }
    const own = Object.keys(scope.filters.shape);
    expect(own).toEqual(expect.arrayContaining(['from', 'to', 'limit', 'offset', ...Object.keys(scope.facets)]));
    expect(own.includes('period')).toBe(scope.periodic);
    expect(scope.filters.safeParse({ from: '2026-10-02', to: '2026-10-01' }).success).toBe(false);
    expect(scope.filters.safeParse({ from: '2026-02-30' }).success).toBe(false);
  });

  test('takes what is listed from the parser, but for what storage knows', () => {
    const ours = ['id', 'created_at', 'date', 'updated_at'];
    const fields = fieldsOf(scope.listRow).filter((field) => !ours.includes(field));
    expect(fieldsOf(scope.parsed)).toEqual(expect.arrayContaining(fields));
  });

  test('keeps rows that have no locator where they are: their key holds the month', () => {
    if (scope.fullRow !== null) return;
    const connection = randomUUID();
    const id = (of: Row) => newRow(connection, scope, { row: of, raw: {}, answerId: randomUUID() }).id;
    expect(id(row())).toBe(id(row()));
    if (scope.periodic) expect(id({ ...row(), period: '2026-11' })).not.toBe(id(row()));
    else expect(id(row(1, '2026-11'))).not.toBe(id(row()));
  });
});

test('full rows have the fields of service.md and no other', () => {
  expect(fieldsOf(taxGuias.fullRow)).toEqual(
    words(`id connection_id period direction sync_run_id raw_payload_id source_guide_id document_type folio
      counterparty_rut counterparty_name net_amount exempt_amount vat_amount total_amount vat_rate issued_at received_at
      event_order event_description dhdr_codigo raw_row created_at`),
  );
  expect(fieldsOf(SCOPES.find(({ name }) => name === 'rcv')?.fullRow)).toEqual(
    words(`${RCV} connection_id sync_run_id raw_payload_id source_document_id raw_row`),
  );
  expect(fieldsOf(bankoneNominas.childRows.listRow)).toEqual(
    words('id linea rut nombre tipo_cuenta numero_cuenta banco monto currency estado mail glosa motivo_rechazo'),
  );
});

test('a boleta of a day that does not exist is refused; its date is the start of the Santiago day', () => {
  const row = { ...ROW_MAKERS['tax.boletas']!(randomFrom(1), '2026-02', 1), day: 30 };
  expect(taxBoletas.parsed.safeParse(row).success).toBe(false);
  const date = (period: string, day: number) => taxBoletas.derived({ period, day }, 'x').date;
  expect(date('2026-10', 5)).toBe('2026-10-05T03:00:00.000Z');
  expect(date('2026-07', 5)).toBe('2026-07-05T04:00:00.000Z');
  // The clocks change at midnight, so the day begins at 01:00.
  expect(date('2026-09', 6)).toBe('2026-09-06T04:00:00.000Z');
});

describe('identity', () => {
  const connection = randomUUID();
  const idOf = (scope: ScopeDefinition, row: Row) =>
    newRow(connection, scope, { row, raw: {}, answerId: randomUUID() }).id;
  const movement = {
    ...ROW_MAKERS['bankone.movements']!(randomFrom(1), '2026-10', 0),
    numero_cuenta: '001230045607',
    documento: '4411',
    amount: '3500000',
  };
  const same = (changes: Row) =>
    expect(idOf(bankoneMovements, { ...movement, ...changes })).toBe(idOf(bankoneMovements, movement));
  const other = (changes: Row) =>
    expect(idOf(bankoneMovements, { ...movement, ...changes })).not.toBe(idOf(bankoneMovements, movement));

  test('of a movement: not its text, balance, currency or the spelling of account and amount', () => {
    same({ descripcion: 'another', saldo_contable: '7', currency: null, provisional: true });
    same({ numero_cuenta: '1230045607' });
    same({ numero_cuenta: '00-123-0045607' });
    same({ amount: '3500000.00' });
    other({ amount: '-3500000' });
    other({ documento: null });
    other({ ordinal: 1 });
    other({ fecha_movimiento: '2026-10-30' });
  });

  test('of a transfer: its number and direction', () => {
    const transfer = { ...ROW_MAKERS['bankone.transfers']!(randomFrom(1), '2026-10', 0), numero_transaccion: '77' };
    const id = (changes: Row) => idOf(bankoneTransfers, { ...transfer, ...changes });
    expect(id({ amount: '1', subject: 'x' })).toBe(id({}));
    expect(new Set([id({ direction: 'issued' }), id({ direction: 'received' })]).size).toBe(2);
  });

  test('of a guide: with and without the authority’s own number', () => {
    const guide = { ...ROW_MAKERS['tax.guias']!(randomFrom(1), '2026-10', 7), folio: '771' };
    const id = (changes: Row) => idOf(taxGuias, { ...guide, ...changes });
    expect(id({ source_guide_id: null })).toBe(id({ source_guide_id: '910000771' }));
    expect(id({ folio: null, source_guide_id: '1' })).not.toBe(id({ folio: null, source_guide_id: '2' }));
  });
});

test('q is 1 to 64 characters, counted as people do', () => {
  const accepts = (q: string) => taxGuias.filters.safeParse({ q }).success;
  expect(['a', 'ñ'.repeat(64), '😀'.repeat(64), '\n'].map(accepts)).toEqual([true, true, true, true]);
  expect(['', 'a'.repeat(65), '😀'.repeat(65)].map(accepts)).toEqual([false, false, false]);
});
