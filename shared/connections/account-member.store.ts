/**
 * The connections of one login and company. Each has an item of its own, which is written and deleted in the transaction
 * that changes the connection's `accountKey`. So concurrent requests never conflict, and no number of them is too large.
 */
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { ConnectionId } from '#shared/values/ids.ts';
import { readAccountHash } from './account-key.rules.ts';
import type { Connection } from './connection.rules.ts';
import { CONNECTION_LIMITS } from './limits.ts';

type Member = Pick<Connection, 'organizationId' | 'source' | 'id'>;

/** Returns the items that make the connection a member of the account. */
export const joinAccount = (member: Member, accountKey: string | undefined): table.TransactItem[] => {
  const { organizationId, source, id } = member;
  const key = readAccountHash(accountKey);
  return key === undefined ? [] : [{ put: { ...keys.accountMember(organizationId, { source, key }, id) } }];
};

/** Returns the items that make the connection a member of the account `after`, and of no other. */
export const moveAccount = (
  member: Member,
  before: string | undefined,
  after: string | undefined,
): table.TransactItem[] => {
  const key = readAccountHash(before);
  if (key === readAccountHash(after)) return [];
  const { organizationId, source, id } = member;
  const left = key === undefined ? [] : [{ remove: keys.accountMember(organizationId, { source, key }, id) }];
  return [...left, ...joinAccount(member, after)];
};

/** Returns the other connections of the same login and company, at most `loginSharersMax`. */
export const listLoginSharers = async ({
  organizationId,
  source,
  id,
  accountKey,
}: Member & Pick<Connection, 'accountKey'>): Promise<ConnectionId[]> => {
  const key = readAccountHash(accountKey);
  if (key === undefined) return [];
  const { pk, prefix } = keys.accountMembers(organizationId, { source, key });
  const limit = CONNECTION_LIMITS.loginSharersMax;
  const members = await table.query(pk, { prefix, attributes: ['pk', 'sk'], limit: limit + 1 });
  const ids = members.map(({ sk }) => sk.slice(prefix.length) as ConnectionId);
  return ids.filter((other) => other !== id).slice(0, limit);
};
