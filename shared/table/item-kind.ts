/** What an item is, by its key alone: no id, no value. */
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import type { Key } from './keys.ts';

/** Their sort keys begin with what a row or a request is known by. */
const NAMED_BY_AREA: ReadonlySet<string> = new Set(['ROWS', 'ROW', 'IDEM', 'FILE']);

/** As docs/data-model.md writes the key: `CONN RUN`, `ROWS`, `TOKEN`. */
export const itemKind = ({ pk, sk }: Key): string => {
  const [first = '', , area] = pk.split('#');
  if (first !== 'ORG' || area === undefined) return first;
  const [head = ''] = sk.split('#');
  return NAMED_BY_AREA.has(area) ? area : `${area} ${head}`;
};

type SecretKey =
  | { kind: 'credentials'; organizationId: OrganizationId; connectionId: ConnectionId }
  | { kind: 'logins'; organizationId: OrganizationId; source: string; login: string };

/** Whose secret an item holds: a connection's credentials, or the key of a login's fingerprints. */
export const parseSecretKey = (key: Key): SecretKey | undefined => {
  const [, organizationId = '', , a = '', b = ''] = key.pk.split('#');
  const kind = itemKind(key);
  if (kind === 'CONN CREDENTIALS') return { kind: 'credentials', organizationId, connectionId: a };
  return kind === 'LOGIN LOGINS' ? { kind: 'logins', organizationId, source: a, login: b } : undefined;
};
