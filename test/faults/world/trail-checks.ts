/** `GET /audit` shows every change of the history, page by page, newest first. */

import type * as z from 'zod';
import { listAuditEvents } from '#functions/api/audit/list-audit-events/handler.ts';
import type { AuditEventView } from '#shared/http/views/audit-event.ts';
import type { Check, World } from './world.ts';

const PAGE = 7;

type Shown = z.infer<typeof AuditEventView>;
interface Page {
  data: Shown[];
  page: { has_more: boolean; next_cursor: string | null };
}

const readTrail = async ({ organizationId }: World): Promise<Shown[]> => {
  const caller = { organizationId, kind: 'session', id: 'person' } as const;
  const shown: Shown[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const { body } = await listAuditEvents({ caller, query } as never);
    const { data, page } = body as Page;
    shown.push(...data);
    cursor = page.next_cursor;
  }
  return shown;
};

const text = (action: unknown, id: unknown, eventId: unknown): string => `${action} ${id} ${eventId}`;

export const trailShowsEveryChange: Check = async (world) => {
  const shown = (await readTrail(world)).map(({ id, action, target }) => text(action, target.id ?? undefined, id));
  const stored = world.audit.events.map(({ id, action, target_id }) => text(action, target_id, id));
  const [here, there] = [new Set(shown), new Set(stored)];
  const ids = shown.map((line) => line.split(' ')[2]!);
  return [
    ...stored.filter((line) => !here.has(line)).map((line) => `GET /audit does not show: ${line}`),
    ...shown.filter((line) => !there.has(line)).map((line) => `GET /audit shows what did not happen: ${line}`),
    ...(shown.length === stored.length ? [] : [`GET /audit shows ${shown.length} of ${stored.length} events`]),
    ...(ids.every((id, n) => n === 0 || id < ids[n - 1]!) ? [] : ['GET /audit is not newest first']),
  ];
};
