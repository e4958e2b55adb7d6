/** Keys of the sparse index `due`, which contains items with a due time. */
import { createHash } from 'node:crypto';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import type { Key } from './keys.ts';

/** Name of the only sparse index. Every item with a due time is in it. */
export const DUE_INDEX = 'due';
export const DUE_SHARDS = 8;

/**
 * Returns the index attributes of an item with a due time. `due_sk` sorts by time, and its end distinguishes items of
 * the same millisecond. Shard and end are derived from the item's key, so an update needs no further data. The index
 * itself contains the key.
 */
export const dueEntry = (key: Key, dueIso: string): { due_pk: string; due_sk: string } => {
  const digest = createHash('sha256').update(`${key.pk}|${key.sk}`).digest();
  return { due_pk: `DUE#${digest[0]! % DUE_SHARDS}`, due_sk: `${dueIso}#${digest.toString('hex', 1, 7)}` };
};

export const dueShards = (): string[] => Array.from({ length: DUE_SHARDS }, (_, n) => `DUE#${n}`);

/** Returns a sort key after every entry that is due up to and including this instant. */
export const dueUpTo = (iso: string): string => `${iso}#~`;

/** An entry as a query of the index returns it. */
export interface DueEntry extends Key {
  due_sk: string;
}

/**
 * Returns how many times in a row the handling of the item failed. The number is the end of the entry, so that every
 * other move of the entry resets it.
 */
export const countFailures = ({ due_sk }: Pick<DueEntry, 'due_sk'>): number => Number(due_sk.split('#')[2] ?? 0);

/** Returns the sort key of an entry whose item failed `failures` times. */
export const failedDueSk = ({ due_sk }: Pick<DueEntry, 'due_sk'>, dueIso: string, failures: number): string =>
  `${dueIso}#${due_sk.split('#')[1]}#${failures}`;

/** Returns the due time of an index entry, in epoch milliseconds. */
export const parseDueMs = ({ due_sk }: { due_sk: string }): number => Date.parse(due_sk.slice(0, due_sk.indexOf('#')));

export type Due =
  | { kind: 'run'; organizationId: OrganizationId; connectionId: ConnectionId; runId: string }
  | { kind: 'work'; organizationId: OrganizationId; connectionId: ConnectionId; runId: string; scope: string }
  | { kind: 'delivery'; organizationId: OrganizationId; endpointId: string; deliveryId: string }
  | { kind: 'session'; organizationId: OrganizationId; source: string; login: string; slot: number }
  | { kind: 'period'; organizationId: OrganizationId; connectionId: ConnectionId; scope: string; period: string }
  | { kind: 'purge'; organizationId: OrganizationId; connectionId: ConnectionId }
  | { kind: 'tender'; organizationId: OrganizationId; connectionId: ConnectionId; codigo: string }
  | { kind: 'schedule'; organizationId: OrganizationId; connectionId: ConnectionId }
  | { kind: 'schedule-comparison' };

/** Parses the keys of items that may be due. Returns undefined for any other key. */
export const parseDueKey = (key: Key): Due | undefined => {
  const [, organizationId = '', area = '', a = '', b = ''] = key.pk.split('#');
  const [item = '', c = '', d = ''] = key.sk.split('#');
  switch (`${area} ${item}`) {
    case 'CONN RUN':
      return { kind: 'run', organizationId, connectionId: a, runId: c };
    case 'CONN WORK':
      return { kind: 'work', organizationId, connectionId: a, runId: c, scope: d };
    case 'HOOK DELIVERY':
      return { kind: 'delivery', organizationId, endpointId: a, deliveryId: c };
    case 'LOGIN SESSION':
      return { kind: 'session', organizationId, source: a, login: b, slot: Number(c) };
    case 'INDEX PERIOD':
      return { kind: 'period', organizationId, connectionId: a, scope: b, period: c };
    case 'TENDERS TENDER':
      return { kind: 'tender', organizationId, connectionId: a, codigo: c };
    case 'CONFIG CONN':
      return { kind: 'schedule', organizationId, connectionId: c };
    case 'SCHEDULES COMPARISON':
      return { kind: 'schedule-comparison' };
    case 'PURGES PURGE':
      return { kind: 'purge', organizationId, connectionId: c };
    default:
      return undefined;
  }
};
