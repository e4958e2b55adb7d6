/**
 * Compares, at the end of each command, the changes that the table shows with the events that the command stored: no
 * change without its event, no event without its change. The changes come from the stored items, not from the code.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '#shared/audit/audit.rules.ts';
import type { SimulatedTable } from './table/simulated-table.ts';
import type { Item } from './table/values.ts';

/** Action, target and changed parts of a change, as text. */
const named = (action: string, target: string, parts: readonly string[] = []): string =>
  `${action} ${target}${parts.length === 0 ? '' : ` (${[...parts].sort().join(', ')})`}`;

/** Names of the attributes that differ, by the name that the API gives them. */
const differences = (before: Item, after: Item, attributes: Readonly<Record<string, string>>): string[] =>
  Object.entries(attributes).flatMap(([attribute, part]) =>
    isDeepStrictEqual(before[attribute], after[attribute]) ? [] : [part],
  );

const CONNECTION_PARTS = {
  name: 'name',
  enabled_scopes: 'enabled_scopes',
  metadata: 'metadata',
  schedule: 'schedule',
  credentials_version: 'credentials',
};
const HOOK_PARTS = { url: 'url', event_types: 'event_types', enabled: 'enabled' };

type Judge = (before: Item, after: Item, id: string) => string[];

const ofConnection: Judge = (before, after, id) => {
  const parts = differences(before, after, CONNECTION_PARTS);
  if ((before.status === 'disabled') !== (after.status === 'disabled')) parts.push('enabled');
  const isFailure = after.status === 'error' && before.status !== 'error';
  return [
    ...(parts.length > 0 ? [named('connection.updated', id, parts)] : []),
    ...(isFailure ? [named('connection.failed', id)] : []),
  ];
};

const ofHook: Judge = (before, after, id) => {
  const parts = differences(before, after, HOOK_PARTS);
  const isByService = parts.includes('enabled') && Number(after.failures_in_row) > Number(before.failures_in_row);
  const isRolled = !isDeepStrictEqual(before.secret, after.secret);
  return [
    ...(parts.length > 0 && !isByService ? [named('webhook.updated', id, parts)] : []),
    ...(isByService ? [named('webhook.disabled', id)] : []),
    ...(isRolled ? [named('webhook.secret_rolled', id)] : []),
  ];
};

const ofKey: Judge = (before, after, id) =>
  before.revoked_at === undefined && after.revoked_at !== undefined ? [named('api_key.revoked', id)] : [];

const ofGrant: Judge = (before, after, id) => [
  ...(before.revoked_at === undefined && after.revoked_at !== undefined ? [named('grant.revoked', id)] : []),
  ...(Number(before.generation) === 0 && Number(after.generation) > 0 ? [named('grant.redeemed', id)] : []),
];

const ofLink: Judge = (before, after, id) =>
  before.cancelled_at === undefined && after.cancelled_at !== undefined ? [named('connect_link.cancelled', id)] : [];

const KINDS: Readonly<Record<string, { kind: string; changes: Judge }>> = {
  CONN: { kind: 'connection', changes: ofConnection },
  KEY: { kind: 'api_key', changes: ofKey },
  HOOK: { kind: 'webhook', changes: ofHook },
  GRANT: { kind: 'grant', changes: ofGrant },
  LINK: { kind: 'connect_link', changes: ofLink },
};

const changesOf = (before: Item | undefined, after: Item | undefined): string[] => {
  const { pk, sk } = (after ?? before)!;
  const [area, id = ''] = sk.split('#');
  if (pk.endsWith('#PURGES') && after === undefined) return [named('connection.purged', id)];
  const found = pk.endsWith('#CONFIG') ? KINDS[area!] : undefined;
  if (found === undefined || id === '') return [];
  const { kind, changes } = found;
  if (before === undefined) return [named(`${kind}.created`, id)];
  // TTL removes grants that are over, which is no change.
  if (after === undefined) return kind === 'grant' ? [] : [named(`${kind}.deleted`, id)];
  return changes(before, after, id);
};

const isSession = (action: string): boolean => action.startsWith('session.');

export interface AuditWatch {
  /** Stored events, in the order of their commits. */
  events: Item[];
  /** Number of changes by action. */
  counts: Partial<Record<AuditAction, number>>;
}

/** Joins the watch to the table, behind its other watchers. */
export const watchAudit = (table: SimulatedTable, blame: (line: string) => void): AuditWatch => {
  const watch: AuditWatch = { events: [], counts: {} };
  let changes: string[] = [];
  let events: Item[] = [];
  const onStored = (before: Item | undefined, after: Item | undefined): void => {
    changes.push(...changesOf(before, after));
    if (after?.pk.endsWith('#AUDIT') && before === undefined) events.push(after);
    else if (after?.pk.endsWith('#AUDIT')) blame(`event ${after.sk} was stored twice`);
  };
  const compare = (): void => {
    const reported = events.map(({ action, target_id, changed }) =>
      named(String(action), String(target_id), changed as string[]),
    );
    for (const change of changes) if (!reported.includes(change)) blame(`without its event: ${change}`);
    for (const [n, event] of reported.entries()) {
      const isRepeated = reported.indexOf(event) !== n;
      const isOfNothing = !isSession(event) && !changes.includes(event);
      if (isRepeated || isOfNothing) blame(`without its change: ${event}`);
    }
    for (const { action } of events as { action?: AuditAction }[])
      watch.counts[action!] = (watch.counts[action!] ?? 0) + 1;
    watch.events.push(...events);
    [changes, events] = [[], []];
  };
  const onSent = (): void => {
    if (changes.length + events.length > 0) compare();
  };
  table.join({ onStored, onSent });
  return watch;
};
