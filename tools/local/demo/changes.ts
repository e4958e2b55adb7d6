/** Reads the change feed as a mirror does: all rows first, and later only changes. */
import { call, type DemoStack } from './steps.ts';
import type { LedgerRow } from './totals.ts';

interface FeedChange {
  change: string;
  scope: string | null;
  /** Id of a row; changes of tenders have no id. */
  id?: string;
}

export interface Since {
  changes: FeedChange[];
  requests: number;
  /** Cursor for the next request. */
  cursor: string;
}

const CHANGES_A_PAGE = 200;

/** Paths of the two feeds. */
export const connectionChanges = (connectionId: string): string => `/connections/${connectionId}/changes`;
export const TENDER_CHANGES = '/procurement/changes';

/** @param cursor null to read from the beginning */
export const changesSince = async (stack: DemoStack, feedPath: string, cursor: string | null): Promise<Since> => {
  const since: Since = { changes: [], requests: 0, cursor: cursor ?? '' };
  for (;;) {
    const from = since.cursor === '' ? '' : `&cursor=${since.cursor}`;
    const path = `${feedPath}?limit=${CHANGES_A_PAGE}${from}`;
    const { data, feed } = await call<{ data: FeedChange[]; feed: { next_cursor: string; has_more: boolean } }>(
      stack,
      path,
    );
    since.changes.push(...data);
    since.requests++;
    since.cursor = feed.next_cursor;
    if (!feed.has_more) return since;
  }
};

/** True if a mirror that starts empty and applies the scope's changes has exactly `rows`. */
export const isMirror = ({ changes }: Since, scope: string, rows: readonly LedgerRow[]): boolean => {
  const held = new Set<unknown>();
  for (const { change, id } of changes.filter((each) => each.scope === scope)) {
    if (change === 'deleted') held.delete(id);
    else held.add(id);
  }
  return held.size === rows.length && rows.every(({ id }) => held.has(id));
};

/** Returns a line with the number of changes since the previous cursor and the number of requests that were needed. */
export const tellSince = (all: readonly Since[]): string => {
  const requests = all.reduce((sum, each) => sum + each.requests, 0);
  const changes = all.flatMap((each) => each.changes);
  const asked = `${requests} ${requests === 1 ? 'request' : 'requests'} to the feed`;
  if (changes.length === 0) return `nothing changed since: ${asked}`;
  const kinds = Map.groupBy(changes, ({ scope, change }) => `${change} in ${scope}`);
  return `changed since: ${[...kinds].map(([kind, of]) => `${of.length} ${kind}`).join(', ')}; ${asked}`;
};
