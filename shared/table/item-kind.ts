/** Derives the kind of an item from its key, without any id or value. */
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import type { Key } from './keys.ts';

/** The sort keys of these areas begin with the id of a row or request, so only the area gives the kind. */
const NAMED_BY_AREA: ReadonlySet<string> = new Set(['ROWS', 'ROW', 'IDEM', 'FILE']);

/** Returns the kind of an item in the notation of docs/data-model.md, for example `CONN RUN`, `ROWS` or `TOKEN`. */
export const itemKind = ({ pk, sk }: Key): string => {
  const [first = '', , area] = pk.split('#');
  if (first !== 'ORG' || area === undefined) return first;
  const [head = ''] = sk.split('#');
  return NAMED_BY_AREA.has(area) ? area : `${area} ${head}`;
};

type SecretKey =
  | { kind: 'credentials'; organizationId: OrganizationId; connectionId: ConnectionId }
  | { kind: 'logins'; organizationId: OrganizationId; source: string; login: string };

/**
 * Returns the owner of the secret in an item. The secret is a connection's credentials or the key of a login's
 * fingerprints.
 */
export const parseSecretKey = (key: Key): SecretKey | undefined => {
  const [, organizationId = '', , a = '', b = ''] = key.pk.split('#');
  const kind = itemKind(key);
  if (kind === 'CONN CREDENTIALS') return { kind: 'credentials', organizationId, connectionId: a };
  return kind === 'LOGIN LOGINS' ? { kind: 'logins', organizationId, source: a, login: b } : undefined;
};
