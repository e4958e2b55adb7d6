/**
 * Issues tokens and builds the stored items that identify the tokens later. The items contain only hashes of the
 * tokens.
 */

import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { newSecret, newToken, putToken, REFRESH_PREFIX, tokenHash } from '#shared/auth/token.store.ts';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresAt } from '#shared/table/ttl.ts';
import type { Grant } from './grant.rules.ts';
import { type RefreshToken, RefreshTokenSchema } from './refresh.rules.ts';

export const refreshTokenItem = item('refresh token', RefreshTokenSchema);

const REFRESH_FORM = /^svc_rt_[A-Za-z0-9_-]{43}$/;

export interface Issued {
  accessToken: string;
  expiresInSeconds: number;
  scope: string;
  /** Null if the client may not have a refresh token. */
  refreshToken: string | null;
}

/** Items for the transaction that issues the tokens. */
export type IssuedItems = readonly table.TransactItem[];

/** Returns the end of a token. A token expires no later than its grant. */
const endOf = (grant: Grant, nowMs: number, lifeMs: number): string =>
  new Date(Math.min(nowMs + lifeMs, Date.parse(grant.expiresAt))).toISOString();

const NEW = 'attribute_not_exists(pk)';

export const accessTokenItem = (token: string, grant: Grant, until: string): table.TransactItem => ({
  put: putToken({
    sha256: tokenHash(token),
    kind: 'access-token',
    organizationId: grant.organizationId,
    credentialId: grant.id,
    scope: grant.scope,
    resource: grant.resource,
    expiresAt: until,
    revokedAt: null,
    lastUsedAt: null,
  }),
  if: NEW,
});

const refreshItem = (token: string, record: RefreshToken): table.TransactItem => ({
  put: {
    ...keys.refreshToken(tokenHash(token)),
    ...refreshTokenItem.toItem(record),
    ...expiresAt(record.expiresAt),
  },
  if: NEW,
});

/**
 * Returns new tokens of a grant and their items. `generation` is the generation of the grant after the exchange, and
 * the refresh token has the same generation.
 */
export const issue = (grant: Grant, generation: number, nowMs: number): { issued: Issued; items: IssuedItems } => {
  const accessToken = newToken('access-token');
  const until = endOf(grant, nowMs, AGENT_LIMITS.accessTokenMs);
  const access = accessTokenItem(accessToken, grant, until);
  const { organizationId, id: grantId, scope, mayRefresh } = grant;
  const refreshToken = mayRefresh ? `${REFRESH_PREFIX}${newSecret()}` : null;
  const refreshUntil = endOf(grant, nowMs, AGENT_LIMITS.refreshTokenMs);
  const expiresInSeconds = Math.floor((Date.parse(until) - nowMs) / 1_000);
  return {
    issued: { accessToken, expiresInSeconds, scope, refreshToken },
    items:
      refreshToken === null
        ? [access]
        : [access, refreshItem(refreshToken, { organizationId, grantId, generation, expiresAt: refreshUntil })],
  };
};

/** Returns the stored refresh token, or undefined if the text is not an issued refresh token. */
export const findRefreshToken = async (token: string): Promise<RefreshToken | undefined> => {
  if (!REFRESH_FORM.test(token)) return undefined;
  const found = await table.get(keys.refreshToken(tokenHash(token)), { consistent: true });
  return found && refreshTokenItem.fromItem(found);
};

/**
 * Stores issued tokens together with the change of their grant, all or nothing.
 * @throws GrantConflict if the grant changed or ended in the meantime
 */
export const putIssued = (move: table.TransactItem, items: IssuedItems): Promise<void> =>
  table.transact([move, ...items]);
