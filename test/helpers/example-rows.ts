/** Data to read at every path of the description: rows of every scope, a tender with its parts and a file. */

import { type Row, type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { storeFile } from '#shared/tenders/tender-file.store.ts';
import { documentoRow, fichaRow, type Owner, ofertaRow, preguntaRow, write, writeFicha } from './procurement.ts';
import { randomFrom } from './random.ts';
import { ROW_MAKERS } from './scope-rows.ts';
import { newSyncedScope } from './synced-scope.ts';

const PERIOD = '2026-10';
const ROWS = 12;

/** Values that the filters in the description's examples find. */
const SURELY: Row = { counterparty_name: 'Comercial Ñandú SpA', currency: 'CLP' };

const PAGO = {
  linea: 1,
  rut: '12345678-5',
  nombre: 'Ana Ejemplo',
  tipo_cuenta: 'CC',
  numero_cuenta: '00045120098',
  banco: 'BANCO TRES',
  monto: '900000',
  currency: 'CLP',
  estado: 'PAGADO',
  mail: null,
  glosa: 'Sueldo',
  motivo_rechazo: null,
};

const rowOf = (scope: ScopeDefinition, n: number): Row => {
  const made = ROW_MAKERS[scopeId(scope)]!(randomFrom(n), PERIOD, n);
  const surely = Object.entries(SURELY).filter(([field]) => n === 0 && field in made);
  return { ...made, ...Object.fromEntries(surely), ...(scope.childRows ? { [scope.childRows.field]: [PAGO] } : {}) };
};

/** Rows of every listed scope of a source, except those that a real sync brings. */
export const writeRows = async (source: string, owner: Owner, synced: readonly string[]): Promise<void> => {
  for (const scope of SCOPES) {
    if (scope.source !== source || scope.resource === null || synced.includes(scopeId(scope))) continue;
    const { sync } = await newSyncedScope(scope, owner);
    const rows = Array.from({ length: ROWS }, (_, n) => rowOf(scope, n));
    await sync(PERIOD, rows);
  }
};

export const writeWholeTender = async (owner: Owner, codigo: string): Promise<void> => {
  await writeFicha(owner, codigo, fichaRow(codigo), { CodigoExterno: codigo });
  await write(owner, codigo, 'documentos', [documentoRow(codigo, 1), documentoRow(codigo, 2)]);
  await write(owner, codigo, 'preguntas', [preguntaRow(codigo, 1, '1'), preguntaRow(codigo, 2, null)]);
  await write(owner, codigo, 'ofertas', [ofertaRow(codigo, 1)]);
};

export const writeFile = ({ organizationId, connectionId }: Owner, documentoId: string): Promise<unknown> =>
  storeFile({ organizationId, connectionId }, documentoId, {
    name: 'Bases.pdf',
    body: Buffer.from('%PDF'),
    bytes: 4,
    proof: 'form',
  });
