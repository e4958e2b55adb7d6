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

const hash = (organizationId: OrganizationId, names: readonly string[], digits: number): string =>
  createHmac('sha256', organizationId).update(JSON.stringify(names)).digest('hex').slice(0, digits);

/**
 * Returns a keyed hash of login and company, 32 hexadecimal digits, and after a dot one of the company, 16 digits, if the
 * credentials name it. Undefined if several connections of the source share a login normally, or if the credentials name
 * no login.
 */
export const identifyAccount = (
  { account: fields = [] }: { account?: readonly (readonly string[])[] },
  organizationId: OrganizationId,
  credentials: Readonly<Record<string, unknown>>,
): string | undefined => {
  const [login, ...company] = fields.map((each) => namedBy(credentials, each));
  if (login === undefined || login === '') return undefined;
  const account = hash(organizationId, [login, ...company], 32);
  return company.every((name) => name === '') ? account : `${account}.${hash(organizationId, ['', ...company], 16)}`;
};

/** True if login and company are the same, or both are unknown. Accounts that were stored earlier have no second part. */
export const isSameAccount = (one: string | undefined, other: string | undefined): boolean =>
  one?.split('.')[0] === other?.split('.')[0];

/** True if both accounts name a company and the companies differ. */
export const isOtherCompany = (one: string | undefined, other: string | undefined): boolean => {
  const [known, named] = [one, other].map((account) => account?.split('.')[1]);
  return known !== undefined && named !== undefined && known !== named;
};

const nameOf = ({ source, accountKey }: Connection): string => `${source} ${accountKey}`;

/** Returns the ids of the connections that share login and company with another of the list. */
export const findLoginSharers = (connections: readonly Connection[]): ReadonlySet<string> => {
  const accounts = Map.groupBy(
    connections.filter(({ accountKey }) => accountKey !== undefined),
    nameOf,
  );
  return new Set([...accounts.values()].flatMap((all) => (all.length > 1 ? all.map(({ id }) => id) : [])));
};
