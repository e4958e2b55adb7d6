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

/**
 * Returns a keyed hash of login and company, 32 hexadecimal digits. Undefined if several connections of the source share
 * a login normally, or if the credentials name no login.
 */
export const identifyAccount = (
  { account = [] }: { account?: readonly (readonly string[])[] },
  organizationId: OrganizationId,
  credentials: Readonly<Record<string, unknown>>,
): string | undefined => {
  const [login, ...company] = account.map((fields) => namedBy(credentials, fields));
  if (login === undefined || login === '') return undefined;
  const named = JSON.stringify([login, ...company]);
  return createHmac('sha256', organizationId).update(named).digest('hex').slice(0, 32);
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
