/** The answer of a route, and the faulty rows that a credential's behaviour selects. */
import { withChangedKeys } from '../../sandbox-kit/lies.ts';
import type { Behaviour } from './behaviour.ts';

export type WireBody = Record<string, unknown> | Record<string, unknown>[];

export interface BankoneAnswer {
  status: number;
  body: WireBody;
}

export const ok = (body: WireBody): BankoneAnswer => ({ status: 200, body });
export const refuse = (status: number, codigo: string, mensaje = 'Operación rechazada'): BankoneAnswer => ({
  status,
  body: { codigo, mensaje },
});
export const invalid = (): BankoneAnswer => refuse(400, 'SOLICITUD_INVALIDA');
export const unknownAccount = (): BankoneAnswer => refuse(404, 'CUENTA_NO_ENCONTRADA');

const LISTS = ['movimientos', 'lineas', 'transferencias', 'nominas', 'pagos'];
const DATES = ['fecha', 'fechaPago', 'fechaConsulta'];
const AMOUNTS = ['monto', 'cargo', 'montoTotal', 'saldoContable'];

type WireRow = Record<string, unknown>;

/** Returns the rows that may be corrupted. The corrupted row must be a row that the adapter reads. */
const victimsOf = (body: WireRow): WireRow[] => {
  if (body.saldoContable !== undefined) return [body];
  return LISTS.flatMap((list) => {
    const rows = (body[list] ?? []) as WireRow[];
    return rows.filter(({ estado }) => estado !== 'PENDIENTE' && estado !== 'RECHAZADA').slice(-1);
  });
};

const withoutAmount = (row: WireRow): void => {
  for (const field of AMOUNTS) delete row[field];
};

/** Writes 31 November, which does not exist, in the format of the field. */
const withImpossibleDay = (row: WireRow): void => {
  for (const field of DATES) {
    const value = row[field];
    if (typeof value === 'string')
      row[field] = value.includes('/') ? '31/11/2026' : value.replace(/^\d{8}/, '20261131');
  }
};

const more = (row: WireRow): WireRow => ({ ...row, campoNuevo: { valor: 1 }, otro: null });

/** Returns a changed copy of the body, because the rendered rows may be used elsewhere. */
export const disguised = (body: WireBody, behaviour: Behaviour): WireBody => {
  if (Array.isArray(body)) return behaviour === 'unknown_fields' ? body.map(more) : body;
  if (behaviour === 'unknown_fields') {
    const lists = LISTS.filter((list) => Array.isArray(body[list]));
    return more({ ...body, ...Object.fromEntries(lists.map((list) => [list, (body[list] as WireRow[]).map(more)])) });
  }
  if (behaviour === 'changed_page') return withChangedKeys(body) as WireBody;
  if (behaviour === 'missing_field') for (const row of victimsOf(body)) withoutAmount(row);
  if (behaviour === 'malformed_row') for (const row of victimsOf(body)) withImpossibleDay(row);
  return body;
};
