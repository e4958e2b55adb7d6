import { endpoint } from '#shared/http/endpoint.ts';
import { refuseCursor } from '#shared/http/response/refuse-cursor.ts';
import { toOrganizationChange } from '#shared/http/views/organization-change.ts';
import { readOrganizationChanges } from '#shared/rows/read/read-organization-changes.store.ts';
import { findNewestTenderChange } from '#shared/tenders/tender-changes.store.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, async ({ caller, query }) => {
  const { cursor = null, limit } = query;
  const { organizationId } = caller;
  const findNewestTender =
    caller.kind === 'key' ? (after: number) => findNewestTenderChange(organizationId, after) : null;
  const request = { organizationId, cursor, limit };
  const page = await readOrganizationChanges(request, findNewestTender).catch(refuseCursor);
  return {
    status: 200,
    body: {
      data: page.changes.map(toOrganizationChange),
      feed: { next_cursor: page.nextCursor, has_more: page.hasMore },
    },
  };
});
