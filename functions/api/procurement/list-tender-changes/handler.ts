import { endpoint } from '#shared/http/endpoint.ts';
import { refuseCursor } from '#shared/http/response/refuse-cursor.ts';
import { toTenderChange } from '#shared/http/views/tender-change.ts';
import { readTenderChanges } from '#shared/tenders/read-tender-changes.store.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, async ({ caller, query }) => {
  const { cursor = null, limit } = query;
  const { organizationId } = caller;
  const page = await readTenderChanges({ organizationId, cursor, limit }).catch(refuseCursor);
  const { changes, nextCursor, hasMore } = page;
  return {
    status: 200,
    body: { data: changes.map(toTenderChange), feed: { next_cursor: nextCursor, has_more: hasMore } },
  };
});
