/** Recognizes connections that read the same company with the same login. Pure. */
import { createHmac } from 'node:crypto';
import type { OrganizationId } from '#shared/values/ids.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import type { Connection } from './connection.rules.ts';

/** Returns the first of the fields that the credentials have, in one spelling; '' if they have none of them. */
const namedBy = (credentials: Readonly<Record<string, unknown>>, fields: readonly string[]): string => {
  const value = fields.map((field) => credentials[field]).find((found) => typeof found === 'string');
  return value === undefined ? '' : (normalizeRut(value as string) ?? (value as string).trim());
};

const hash = (organizationId: OrganizationId, names: readonly string[], encoding: 'hex' | 'base64url'): string =>
  createHmac('sha256', organizationId).update(JSON.stringify(names)).digest(encoding);

/** 36 bits: a filter of the list reads every connection, so each character costs read units. */
const COMPANY_CHARS = 6;

/**
 * Returns a keyed hash of login and company, 32 hexadecimal digits, and after a dot one of the company, 6 characters of
 * base64url, if the credentials name it. Undefined if several connections of the source share a login normally, or if the credentials name
 * no login.
 */
export const identifyAccount = (
  { account: fields = [] }: { account?: readonly (readonly string[])[] },
  organizationId: OrganizationId,
  credentials: Readonly<Record<string, unknown>>,
): string | undefined => {
  const [login, ...company] = fields.map((each) => namedBy(credentials, each));
  if (login === undefined || login === '') return undefined;
  const account = hash(organizationId, [login, ...company], 'hex').slice(0, 32);
  if (company.every((name) => name === '')) return account;
  return `${account}.${hash(organizationId, ['', ...company], 'base64url').slice(0, COMPANY_CHARS)}`;
};

/** Returns the hash of login and company. Accounts that were stored earlier have no other part. */
export const readAccountHash = (account: string | undefined): string | undefined => account?.split('.')[0];

/** True if the account names a company and `sent` does not name the same one. */
export const isOtherCompany = (account: string | undefined, sent: string | undefined): boolean => {
  const [own, other] = [account, sent].map((each) => each?.split('.')[1]);
  return own !== undefined && own !== other;
};

type Holder = Pick<Connection, 'id' | 'source' | 'accountKey'>;

const nameOf = ({ source, accountKey }: Holder): string => `${source} ${readAccountHash(accountKey)}`;

/** Returns the ids of the connections that share login and company with another of the list. */
export const findLoginSharers = (connections: readonly Holder[]): ReadonlySet<string> => {
  const accounts = Map.groupBy(
    connections.filter(({ accountKey }) => accountKey !== undefined),
    nameOf,
  );
  return new Set([...accounts.values()].flatMap((all) => (all.length > 1 ? all.map(({ id }) => id) : [])));
};
