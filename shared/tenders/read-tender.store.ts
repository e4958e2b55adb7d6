/** Reads a tender as the API returns it: for each row, the newest copy over all connections of the organization. */

import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { mustGet } from '#shared/values/must-get.ts';
import { readDocument } from './document-link.client.ts';
import { servedCopies, type TenderCopy } from './tender.rules.ts';
import { tenderScope } from './tender.store.ts';
import { decompress, storedTenderRow } from './tender-items.ts';
import { findReads } from './tender-reads.store.ts';

export interface ServedTenderRow extends TenderCopy {
  row: Row;
}

/** Returns the rows of a scope over all connections, unordered. Returns undefined if no connection knows the tender. */
export const listRows = async (
  organizationId: OrganizationId,
  codigo: string,
  definition: ScopeDefinition,
): Promise<ServedTenderRow[] | undefined> => {
  const scope = tenderScope(definition);
  const { pk, prefix } = keys.tenderRows(organizationId, codigo, scope);
  // The notes of readings are fetched before the rows, because the rows of a reading are stored before its note.
  const reads = await findReads(organizationId, codigo, scope);
  if (!reads) return undefined;
  const items = reads.size === 0 ? [] : await table.query(pk, { prefix });
  return servedCopies(await Promise.all(items.map(storedTenderRow)), reads);
};

/** Returns the tender's own row as the API returns it, or undefined if no connection has read the tender. */
export const findTender = async (
  organizationId: OrganizationId,
  codigo: string,
  definition: ScopeDefinition,
): Promise<Row | undefined> => {
  const scope = tenderScope(definition);
  const { pk, prefix } = keys.tenderRows(organizationId, codigo, scope);
  const reads = await findReads(organizationId, codigo, scope);
  if (!reads || reads.size === 0) return undefined;
  const copies = await Promise.all((await table.query(pk, { prefix })).map(storedTenderRow));
  const [copy] = servedCopies(copies, reads);
  if (!copy) return undefined;
  const raw = copy.raw ?? (copy.rawObject === null ? null : await readDocument(copy.rawObject));
  const raw_ficha = raw === null ? {} : await decompress(raw);
  return { ...copy.row, observed_at: mustGet(reads, copy.connectionId), raw_ficha };
};

/** True if any connection of this organization has read the tender. */
export const isKnown = async (organizationId: OrganizationId, codigo: string): Promise<boolean> =>
  (await findReads(organizationId, codigo, 'licitaciones')) !== undefined;
