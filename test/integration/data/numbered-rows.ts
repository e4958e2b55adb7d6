/** Rows that the source identifies by a number: how a sync writes them, and what is stored then. */
import { listedRows } from '#shared/rows/index/row-partition.store.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';

export const PERIOD = '2026-10';

/** Days of 20 movements; each balance is the previous one plus the amount. */
export const movements = (count: number, shift = 0, factor = 1): Row[] =>
  Array.from({ length: count }, (_, n) => {
    const day = `${PERIOD}-${String(1 + Math.floor(n / 20)).padStart(2, '0')}`;
    return {
      period: PERIOD,
      numero_cuenta: '0-000-0456789-1',
      fecha_movimiento: day,
      fecha_contable: day,
      descripcion: `Movimiento ${n}`,
      amount: String((n + 1) * factor),
      saldo_contable: String(((n + 1) * (n + 2) * factor) / 2),
      tipo: 'A',
      mnemonico: 'TEFR',
      direction: 'received',
      category: null,
      counterparty_name: null,
      counterparty_rut: null,
      counterparty_bank: null,
      counterparty_account: null,
      movement_number: String(n + 1 + shift),
    };
  });

export const transfers = (count: number): Row[] =>
  Array.from({ length: count }, (_, n) => ({
    period: PERIOD,
    direction: 'received',
    transferred_at: `${PERIOD}-10T12:${String(n).padStart(2, '0')}:00.000Z`,
    amount: String(1_000 + n),
    numero_transaccion: String(7_000 + n),
    currency: 'CLP',
    subject: null,
    counterparty_rut: '76543210-3',
    counterparty_name: 'INVENTOS SA',
    counterparty_bank: 'BANCO DOS',
  }));

/** Writes rows as an earlier version did: only the number identifies a row. */
export const syncedBefore = ({ sync }: SyncedScope, rows: Row[]) => sync(PERIOD, rows);
export const synced = ({ sync }: SyncedScope, rows: Row[]) => sync(PERIOD, rows, [], true);

export const idsOf = async ({ address, scope }: SyncedScope): Promise<Map<string, string>> => {
  const rows = new Map<string, string>();
  await listedRows(address, scope, PERIOD, (id, { id: _, ...row }) => rows.set(id, JSON.stringify(row)));
  return rows;
};
export const shown = async (scope: SyncedScope): Promise<string[]> => [...(await idsOf(scope)).values()].sort();

export const freshly = async (definition: SyncedScope['scope'], rows: Row[]): Promise<string[]> => {
  const fresh = await newSyncedScope(definition);
  await synced(fresh, rows);
  return shown(fresh);
};
