import * as links from '#shared/connect-links/link.store.ts';
import { listUsed } from '#shared/connect-links/read-verdict.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { idBefore, toIdPage } from '#shared/http/lists/id-pages.ts';
import { toConnectLink } from '#shared/http/views/connect-link.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { contract } from './contract.ts';

export const listConnectLinks: Logic<typeof contract> = async ({ caller, query: { cursor, limit } }) => {
  const found = await links.list(caller.organizationId, { limit, before: idBefore(cursor) });
  const used = await listUsed(found.links);
  const atMs = nowMs();
  const page = toIdPage(found.links, { limit, hasMore: found.hasMore });
  return { status: 200, body: { data: found.links.map((link) => toConnectLink(link, used.has(link.id), atMs)), page } };
};

export const handler = endpoint(contract, listConnectLinks);
