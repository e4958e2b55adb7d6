import * as audit from '#shared/audit/audit.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { idBefore, toIdPage } from '#shared/http/lists/id-pages.ts';
import { toAuditEvent } from '#shared/http/views/audit-event.ts';
import { contract } from './contract.ts';

export const listAuditEvents: Logic<typeof contract> = async ({ caller, query: { cursor, limit } }) => {
  const { events, hasMore } = await audit.list(caller.organizationId, { limit, before: idBefore(cursor) });
  return { status: 200, body: { data: events.map(toAuditEvent), page: toIdPage(events, { limit, hasMore }) } };
};

export const handler = endpoint(contract, listAuditEvents);
