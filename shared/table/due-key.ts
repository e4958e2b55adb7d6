/** What an item of the due index is, by its key alone. */
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import type { Key } from './keys.ts';

export type Due =
  | { kind: 'run'; organizationId: OrganizationId; connectionId: ConnectionId; runId: string }
  | { kind: 'work'; organizationId: OrganizationId; connectionId: ConnectionId; runId: string; scope: string }
  | { kind: 'delivery'; organizationId: OrganizationId; endpointId: string; deliveryId: string }
  | { kind: 'session'; organizationId: OrganizationId; source: string; login: string; slot: number }
  | { kind: 'period'; organizationId: OrganizationId; connectionId: ConnectionId; scope: string; period: string }
  | { kind: 'purge'; organizationId: OrganizationId; connectionId: ConnectionId }
  | { kind: 'schedule'; organizationId: OrganizationId; connectionId: ConnectionId }
  | { kind: 'schedule-comparison' };

/** Parses the keys of items that may be due. Undefined for a key that is none of them. */
export const parseDueKey = (key: Key): Due | undefined => {
  const [, organizationId = '', area = '', a = '', b = ''] = key.pk.split('#');
  const [item, c = '', d = ''] = key.sk.split('#');
  if (area === 'CONN' && item === 'RUN') return { kind: 'run', organizationId, connectionId: a, runId: c };
  if (area === 'CONN' && item === 'WORK') return { kind: 'work', organizationId, connectionId: a, runId: c, scope: d };
  if (area === 'HOOK' && item === 'DELIVERY') return { kind: 'delivery', organizationId, endpointId: a, deliveryId: c };
  if (area === 'LOGIN' && item === 'SESSION')
    return { kind: 'session', organizationId, source: a, login: b, slot: Number(c) };
  if (area === 'INDEX' && item === 'PERIOD')
    return { kind: 'period', organizationId, connectionId: a, scope: b, period: c };
  if (area === 'CONFIG' && item === 'CONN') return { kind: 'schedule', organizationId, connectionId: c };
  if (area === 'SCHEDULES') return { kind: 'schedule-comparison' };
  if (area === 'PURGES') return { kind: 'purge', organizationId, connectionId: c };
  return undefined;
};
