import { AuditCursorInvalid, auditCursor, readAuditCursor } from '#shared/audit/audit.rules.ts';
import * as audit from '#shared/audit/audit.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { invalidCursor } from '#shared/http/response/refuse-cursor.ts';
import { toAuditEvent } from '#shared/http/views/audit-event.ts';
import { contract } from './contract.ts';

const beforeOf = (cursor: string | undefined): string | null => {
  try {
    return cursor === undefined ? null : readAuditCursor(cursor);
  } catch (error) {
    if (!(error instanceof AuditCursorInvalid)) throw error;
    throw invalidCursor(error.message, error);
  }
};

export const listAuditEvents: Logic<typeof contract> = async ({ caller, query: { cursor, limit } }) => {
  const { events, hasMore } = await audit.list(caller.organizationId, { limit, before: beforeOf(cursor) });
  const last = events.at(-1);
  const next = hasMore && last !== undefined ? auditCursor(last) : null;
  const page = { limit, has_more: hasMore, next_cursor: next };
  return { status: 200, body: { data: events.map(toAuditEvent), page } };
};

export const handler = endpoint(contract, listAuditEvents);
