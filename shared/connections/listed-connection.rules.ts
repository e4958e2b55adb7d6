/** What a list of connections filters and sorts by. Pure. */
import type * as z from 'zod';
import { type Connection, type ConnectionChange, ConnectionSchema } from './connection.rules.ts';

/**
 * A connection without the fields that no filter reads. Its `openRuns` is empty: only the connection itself says whether
 * a run is open.
 */
export const ListedConnectionSchema = ConnectionSchema.pick({
  id: true,
  source: true,
  name: true,
  metadata: true,
  status: true,
  openRuns: true,
  lastErrorCode: true,
  approvalUntil: true,
  accountKey: true,
});
export interface ListedConnection extends z.infer<typeof ListedConnectionSchema> {}

/** The keys of the metadata that a filter reads. */
const SEARCHED = ['reference', 'company_rut', 'company_name'] as const;

export const toListed = (connection: ListedConnection): ListedConnection => {
  const { id, source, name, metadata, status, lastErrorCode, approvalUntil, accountKey } = connection;
  return {
    ...{ id, source, name, status },
    metadata: Object.fromEntries(SEARCHED.flatMap((key) => (key in metadata ? [[key, metadata[key]]] : []))),
    openRuns: [],
    ...(lastErrorCode === undefined ? {} : { lastErrorCode }),
    ...(approvalUntil === undefined ? {} : { approvalUntil }),
    ...(accountKey === undefined ? {} : { accountKey }),
  };
};

/** The order of a list: ids ascend with the time of creation. */
export const newestFirst = (a: Pick<Connection, 'id'>, b: Pick<Connection, 'id'>): number => (a.id < b.id ? 1 : -1);

/** Fields of a request's change that a list filters by; new credentials change the account and the last error. */
const FILTERED = ['name', 'metadata', 'status', 'credentials'] as const satisfies readonly (keyof ConnectionChange)[];

/** True if a list may show the connection differently after the change. */
export const changesList = (change: ConnectionChange): boolean => FILTERED.some((field) => change[field] !== undefined);
