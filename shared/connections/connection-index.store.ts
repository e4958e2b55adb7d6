/**
 * The index of connections by what several may have in common: login and company, the integrator's reference, and the
 * RUT of the company. A connection has an entry for each of them, which is written and deleted in the transaction that
 * changes the connection. So requests about different connections never conflict, and no number of them is too large.
 */
import { type Key, keys, type SharedTrait } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { readAccountHash } from './account-key.rules.ts';
import type { Connection } from './connection.rules.ts';
import { CONNECTION_LIMITS } from './limits.ts';

type Indexed = Pick<Connection, 'organizationId' | 'id' | 'source' | 'accountKey' | 'metadata'>;

const listTraits = ({ source, accountKey, metadata }: Indexed): SharedTrait[] => {
  const { reference, company_rut: companyRut } = metadata;
  const account = readAccountHash(accountKey);
  return [
    ...(account === undefined ? [] : [['ACCOUNT', source, account] as const]),
    ...(typeof reference === 'string' ? [['REFERENCE', reference] as const] : []),
    ...(typeof companyRut === 'string' ? [['COMPANY', companyRut] as const] : []),
  ];
};

const listKeys = (connection: Indexed): Key[] =>
  listTraits(connection).map((trait) => keys.connectionEntry(connection.organizationId, trait, connection.id));

const putEntries = (entries: readonly Key[]): table.TransactItem[] => entries.map((key) => ({ put: { ...key } }));

/** Returns the items that write the entries of a new connection. */
export const createEntries = (connection: Indexed): table.TransactItem[] => putEntries(listKeys(connection));

const without = (list: readonly Key[], others: readonly Key[]): Key[] =>
  list.filter(({ pk }) => !others.some((other) => other.pk === pk));

/** Returns the items that turn the entries of a connection into those of its changed form; undefined: deleted. */
export const moveEntries = (before: Indexed, after: Indexed | undefined): table.TransactItem[] => {
  const [old, fresh] = [listKeys(before), after === undefined ? [] : listKeys(after)];
  return [...without(old, fresh).map((remove) => ({ remove })), ...putEntries(without(fresh, old))];
};

/** Returns ids of connections with the trait, ascending. */
export const listIdsWith = async (
  organizationId: OrganizationId,
  trait: SharedTrait,
  limit: number,
): Promise<ConnectionId[]> => {
  const { pk, prefix } = keys.connectionEntries(organizationId, trait);
  const entries = await table.query(pk, { prefix, attributes: ['pk', 'sk'], limit });
  return entries.map(({ sk }) => sk.slice(prefix.length) as ConnectionId);
};

/** Returns the other connections of the same login and company, at most `loginSharersMax`. */
export const listLoginSharers = async ({
  organizationId,
  source,
  id,
  accountKey,
}: Omit<Indexed, 'metadata'>): Promise<ConnectionId[]> => {
  const account = readAccountHash(accountKey);
  if (account === undefined) return [];
  const most = CONNECTION_LIMITS.loginSharersMax;
  const ids = await listIdsWith(organizationId, ['ACCOUNT', source, account], most + 1);
  return ids.filter((other) => other !== id).slice(0, most);
};
