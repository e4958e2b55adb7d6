/**
 * The organization's feed names the scopes that have changes, so that a reader of many connections asks only their
 * feeds. An entry is written in the transaction that stores a scope's index, which makes the changes readable, and
 * replaces the scope's former entry. Entries are numbered in four parts, so that workers seldom wait for each other.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { ServiceBusy } from '#shared/platform/patience.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { item } from '#shared/table/item.ts';
import { keys, type ScopeAddress } from '#shared/table/keys.ts';
import { nextEntry } from '#shared/table/numbered-entries.ts';
import type { NumberedList } from '#shared/table/numbered-list.ts';
import * as table from '#shared/table/table.ts';
import { VersionConflict } from '#shared/values/app-error.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';

/** Another worker announced a change of the same part in the meantime. */
class NumberTaken extends VersionConflict {}

/** Cursors hold a number for each part, so another number of parts needs another version of cursors. */
const PARTS = 4;

export const organizationLists = (organizationId: OrganizationId): NumberedList[] =>
  Array.from({ length: PARTS }, (_, part) => keys.organizationChanges(organizationId, part));

/** The scopes of a connection are in different parts, because they are usually synchronized at the same time. */
const listOf = ({ organizationId, connectionId, scope }: ScopeAddress): NumberedList => {
  const [digit = 0] = createHash('sha256').update(`${connectionId}|${scope}`).digest();
  return keys.organizationChanges(organizationId, digit % PARTS);
};

export const organizationChangeItem = item(
  'change of an organization',
  z.object({
    connectionId: z.string(),
    /** Null if the connection was deleted. */
    scope: z.string().nullable(),
  }),
  { absent: ['scope'] },
);

/** Attribute of `SUMMARY` with the number of the scope's entry. */
const ENTRY = 'entry_n';

/** Returns the number of the scope's entry, or null if the scope was never announced. */
export const announcedNumber = (summary: table.Item | undefined): number | null =>
  (summary?.[ENTRY] as number | undefined) ?? null;

export interface ScopeAnnouncement {
  /** Attributes of `SUMMARY`. */
  attributes: Readonly<Record<string, number>>;
  items: table.TransactItem[];
}

const untilNumbered = <T>(address: ScopeAddress, write: (otherwise: () => Error) => Promise<T>): Promise<T> =>
  retryOnConflict([NumberTaken], ROW_LIMITS.announcementAttemptsMax, () =>
    write(() => new NumberTaken(address.connectionId)),
  );

/**
 * Runs a transaction of the scope's index with the announcement of the scope. Repeats the transaction if another worker
 * took the number.
 *
 * @param former number of the scope's present entry
 * @throws ServiceBusy if other workers took too many numbers; the task continues later
 */
export const withAnnouncement = async (
  address: ScopeAddress,
  former: number | null,
  transact: (announcement: ScopeAnnouncement) => Promise<void>,
): Promise<void> => {
  const list = listOf(address);
  const entry = organizationChangeItem.toItem({ connectionId: address.connectionId, scope: address.scope });
  try {
    await untilNumbered(address, async (otherwise) => {
      const { n, items } = await nextEntry(list, entry, otherwise);
      const replaced = former === null ? [] : [{ remove: list.entry(former) }];
      await transact({ attributes: { [ENTRY]: n }, items: [...items, ...replaced] });
    });
  } catch (error) {
    if (!(error instanceof NumberTaken)) throw error;
    throw new ServiceBusy('too many workers announce changes of the organization', { cause: error });
  }
};

/**
 * Announces that a connection was deleted, and removes the entries of its scopes. Called when no worker can store an
 * index of the connection any more. Announces nothing if no scope has an entry, so it may be repeated.
 */
export const announceDeletedConnection = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  scopes: readonly string[],
): Promise<void> => {
  const connection = { organizationId, connectionId, scope: '' };
  const list = listOf(connection);
  const entry = organizationChangeItem.toItem({ connectionId, scope: null });
  await untilNumbered(connection, async (otherwise) => {
    const announced: table.TransactItem[] = [];
    for (const scope of scopes) {
      const address = { organizationId, connectionId, scope };
      const n = announcedNumber(await table.get(keys.summary(address)));
      if (n === null) continue;
      const forget = { update: keys.summary(address), remove: [ENTRY], if: `#${ENTRY} = :n`, values: { n }, otherwise };
      announced.push(forget, { remove: listOf(address).entry(n) });
    }
    if (announced.length === 0) return;
    await table.transact([...(await nextEntry(list, entry, otherwise)).items, ...announced]);
  });
};
