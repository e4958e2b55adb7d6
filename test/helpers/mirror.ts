/** A copy of a connection's rows, updated by reading its changes. */
import { type ChangesPage, readChanges } from '#shared/rows/read/read-changes.store.ts';
import type { RowChange } from '#shared/rows/read/read-round.store.ts';
import type { Row } from '#shared/scopes/scope.ts';

export interface Mirror {
  /** `scope|id` → the row as last received. */
  rows: Map<string, Row>;
  cursor: string | null;
  /** Reads one page and applies it to the copy. */
  page(limit?: number): Promise<ChangesPage>;
  /** Reads pages until no change is left; returns all changes. */
  catchUp(limit?: number): Promise<RowChange[]>;
}

const PAGES_MAX = 10_000;

export const startMirror = (
  owner: { organizationId: string; connectionId: string },
  filter: string | null = null,
): Mirror => {
  const mirror: Mirror = {
    rows: new Map(),
    cursor: null,
    page: async (limit = 50) => {
      const { organizationId, connectionId } = owner;
      const page = await readChanges({ organizationId, connectionId, filter, cursor: mirror.cursor, limit });
      if (!page) throw new Error('no such connection');
      for (const { change, scope, id, row } of page.changes)
        if (change === 'deleted') mirror.rows.delete(`${scope}|${id}`);
        else mirror.rows.set(`${scope}|${id}`, row!);
      mirror.cursor = page.nextCursor;
      return page;
    },
    catchUp: async (limit) => {
      const told: RowChange[] = [];
      for (let pages = 0; pages < PAGES_MAX; pages++) {
        const { changes, hasMore } = await mirror.page(limit);
        told.push(...changes);
        if (!hasMore) return told;
      }
      throw new Error('the changes have no end');
    },
  };
  return mirror;
};
