/**
 * Stores when each connection last read each scope of a tender. These times decide which connection's copy of a row is
 * returned.
 */
import { ConditionRefused } from '#shared/table/errors.ts';
import type { Change } from '#shared/table/expressions.ts';
import { keys, type TenderAddress, type TenderScope } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { parseCopyKey } from './tender-items.ts';

/** Returns the name of the attribute that contains the time of the reading, in UTC with milliseconds. */
export const readAt = (scope: TenderScope): string => `${scope}_at`;
/**
 * Returns the name of the attribute that contains the digest of the rows that the connection stored in the scope. Two
 * connections with the same data have equal digests. The attribute is absent if the digest is unknown.
 */
const digestOf = (scope: TenderScope): string => `${scope}_digest`;

/**
 * A note of the reading of a scope: the time of the source's answer, and the digest of the rows that were stored
 * afterwards.
 */
export interface TenderReadNote {
  at: string;
  digest: string;
}

const readingsOf = async (organizationId: OrganizationId, codigo: string): Promise<[string, table.Item][]> => {
  const { pk, prefix } = keys.tenderReads(organizationId, codigo);
  return (await table.query(pk, { prefix })).map((item) => [item.sk.slice(prefix.length), item]);
};

/**
 * Returns when each connection last read this scope of the tender, or undefined if no connection has stored any scope
 * of the tender.
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

/** Returns the change that notes a reading. The condition of this change fails if a newer reading is noted. */
export const newerReading = (scope: TenderScope, { at, digest }: TenderReadNote) => {
  const attribute = readAt(scope);
  return {
    set: { [attribute]: at, [digestOf(scope)]: digest },
    if: `attribute_not_exists(#${attribute}) OR #${attribute} < :at`,
    values: { at },
  };
};

/**
 * Returns the change that removes the digest of a newer reading. The digest is wrong because rows of the reading from
 * `at` were stored after the newer reading was noted.
 */
export const withoutDigest = (scope: TenderScope, at: string) => ({
  remove: [digestOf(scope)],
  if: `#${readAt(scope)} > :at`,
  values: { at },
});

/** Writes the change. Returns false if its condition is not met. */
const updateNote = async (address: TenderAddress, change: Change): Promise<boolean> => {
  try {
    await table.update(keys.tenderRead(address), change);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionRefused)) throw error;
    return false;
  }
};

/** This text sorts before every instant. */
const BEGINNING = '0';

/**
 * Removes the digest, because rows of an unknown reading may have come late. Without the digest, the next reading of
 * another connection is compared row by row.
 */
export const forgetDigest = (address: TenderAddress, scope: TenderScope): Promise<boolean> =>
  updateNote(address, withoutDigest(scope, BEGINNING));

/**
 * Notes a reading. Scopes of one tender are read at the same time, so a newer reading may be noted already. In this
 * case only the digest of the newer reading is removed.
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
 * Returns the connections that this reading overtakes: they read the scope between this connection's previous reading
 * and this reading.
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
 * True if a reading without new rows changes the returned rows. This happens if another connection has read since this
 * connection's previous reading and stored a shared row with different content. Rows that only one of the two
 * connections has stay the same.
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
