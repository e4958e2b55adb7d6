import * as z from 'zod';
import { AUDIT_LIMITS } from '#shared/audit/limits.ts';
import { defineEndpoint } from '#shared/http/contract.ts';
import { cursorPaginated, cursorParameter } from '#shared/http/lists/pagination.ts';
import { AuditEventView } from '#shared/http/views/audit-event.ts';
import { page } from '#shared/scopes/scope.ts';

export const contract = defineEndpoint({
  id: 'list-audit-events',
  method: 'GET',
  path: '/audit',
  tag: 'Audit',
  summary: 'List who changed what',
  description:
    'Every change of API keys, connections with their credentials and schedules, webhook endpoints, granted applications ' +
    `and dashboard sessions of the last ${AUDIT_LIMITS.auditDays} days, newest first. An event is stored together with its change, so ` +
    'no change is missing. Refused requests change nothing and have no event.',
  auth: 'session',
  query: z.strictObject({
    cursor: cursorParameter('`page.next_cursor` of an earlier answer. Absent: the newest events.'),
    limit: page.limit,
  }),
  responses: { 200: cursorPaginated(AuditEventView) },
  errors: [],
  needs: ['table:read'],
});
