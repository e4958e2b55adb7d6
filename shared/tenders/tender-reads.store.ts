/** When each connection last read each scope of a tender. This decides which connection's copy of a row is returned. */
import { ConditionRefused } from '#shared/table/errors.ts';
import type { Change } from '#shared/table/expressions.ts';
import { keys, type TenderAddress, type TenderScope } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { parseCopyKey } from './tender-items.ts';

/** Attribute with the time of the reading, in UTC with milliseconds. */
export const readAt = (scope: TenderScope): string => `${scope}_at`;
/**
 * Attribute with a digest of what the connection stored of the scope. Two connections with the same data have equal
 * digests. Absent if unknown.
 */
const digestOf = (scope: TenderScope): string => `${scope}_digest`;

/** A reading of a scope: the time of the source's answer, and the digest of the rows stored since. */
export interface TenderReadNote {
  at: string;
  digest: string;
}

const readingsOf = async (organizationId: OrganizationId, codigo: string): Promise<[string, table.Item][]> => {
  const { pk, prefix } = keys.tenderReads(organizationId, codigo);
  return (await table.query(pk, { prefix })).map((item) => [item.sk.slice(prefix.length), item]);
};

/**
 * When each connection last read this scope of the tender. Returns undefined if no scope of any connection has stored
 * it.
 */
export const findReads = async (
  organizationId: OrganizationId,
  codigo: string,
  scope: TenderScope,
): Promise<Map<string, string> | undefined> => {
  const items = await readingsOf(organizationId, codigo);
  if (items.length === 0) return undefined;
  const read = items.filter(([, item]) => item[readAt(scope)] !== undefined);
  return new Map(read.map(([connectionId, item]) => [connectionId, String(item[readAt(scope)])]));
};

/** The note of a reading, unless a newer one is stored. */
export const newerReading = (scope: TenderScope, { at, digest }: TenderReadNote) => {
  const attribute = readAt(scope);
  return {
    set: { [attribute]: at, [digestOf(scope)]: digest },
    if: `attribute_not_exists(#${attribute}) OR #${attribute} < :at`,
    values: { at },
  };
};

/** Removes the digest of a newer reading, because rows of a reading from `at` were stored after it was noted. */
export const withoutDigest = (scope: TenderScope, at: string) => ({
  remove: [digestOf(scope)],
  if: `#${readAt(scope)} > :at`,
  values: { at },
});

/** Returns false if the condition is not met. */
const updateNote = async (address: TenderAddress, change: Change): Promise<boolean> => {
  try {
    await table.update(keys.tenderRead(address), change);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionRefused)) throw error;
    return false;
  }
};

/** Sorts before every instant. */
const BEGINNING = '0';

/**
 * Rows of an unknown reading may have come late. Without the digest, the next reading of another connection is compared
 * row by row.
 */
export const forgetDigest = (address: TenderAddress, scope: TenderScope): Promise<boolean> =>
  updateNote(address, withoutDigest(scope, BEGINNING));

/**
 * Scopes of one tender are read at the same time, so a newer reading may be noted already. Then only its digest is
 * removed.
 */
export const noteReading = async (
  address: TenderAddress,
  scope: TenderScope,
  reading: TenderReadNote,
): Promise<void> => {
  if (!(await updateNote(address, newerReading(scope, reading))))
    await updateNote(address, withoutDigest(scope, reading.at));
};

/**
 * Connections that this reading overtakes: they read the scope between this connection's previous reading and this one.
 */
const findOvertaken = async (
  { organizationId, connectionId, codigo }: TenderAddress,
  scope: TenderScope,
  { at, digest }: TenderReadNote,
  before: string,
): Promise<Set<string>> => {
  const others = (await readingsOf(organizationId, codigo)).filter(([other, item]) => {
    const theirs = item[readAt(scope)] as string | undefined;
    if (other === connectionId || theirs === undefined || item[digestOf(scope)] === digest) return false;
    return theirs <= at && theirs >= before;
  });
  return new Set(others.map(([other]) => other));
};

/**
 * Checks whether a reading without new rows changes the returned rows. This happens if another connection has read
 * since this connection's previous reading and stored a shared row with different content. Rows that only one of them
 * has stay the same.
 *
 * @param before time of this connection's previous reading of the scope
 */
export const isOvertaking = async (
  address: TenderAddress,
  scope: TenderScope,
  reading: TenderReadNote,
  before: string,
): Promise<boolean> => {
  const overtaken = await findOvertaken(address, scope, reading, before);
  if (overtaken.size === 0) return false;
  const { organizationId, connectionId, codigo } = address;
  const { pk, prefix } = keys.tenderRows(organizationId, codigo, scope);
  const rows = await table.query(pk, { prefix, attributes: ['sk', 'hash'] });
  const copies = rows.map(({ sk, hash }) => ({ ...parseCopyKey(sk), hash }));
  const own = new Map(copies.filter((copy) => copy.connectionId === connectionId).map(({ id, hash }) => [id, hash]));
  return copies.some((copy) => overtaken.has(copy.connectionId) && own.has(copy.id) && own.get(copy.id) !== copy.hash);
};
