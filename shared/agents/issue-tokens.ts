/**
 * The two exchanges of the token endpoint, and the revocation (docs/adr/0033). Each of these functions reads, decides
 * by the rules, and writes on the condition that nothing changed. If the condition fails, the function starts over.
 */
import { randomUUID } from 'node:crypto';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { type RequestSource, SERVICE } from '#shared/audit/audit.rules.ts';
import { findToken, isTokenForm, TOKEN_PREFIXES } from '#shared/auth/token.store.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import { record } from '#shared/platform/metrics.ts';
import { keys } from '#shared/table/keys.ts';
import { countInMinute } from '#shared/table/minute-quota.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { type PresentedClient, type ProveClient, proveOnce } from './authenticate-client.ts';
import { findCode, redeem } from './authorization-code.store.ts';
import { type Grant, isActive, judgeCode, type Presented, type RefusedGrant, refused } from './grant.rules.ts';
import * as grants from './grant.store.ts';
import { findRefreshToken, type Issued, issue, putIssued } from './issued-items.store.ts';
import { judgeRefresh, type RefreshRequest } from './refresh.rules.ts';

/** Generation of the first tokens, for which a code is exchanged. */
const FIRST_GENERATION = 1;

export type Exchanged = { kind: 'issued'; issued: Issued } | RefusedGrant;

const given = (issued: Issued): Exchanged => {
  record('AccessTokensIssued', 1, {});
  return { kind: 'issued', issued };
};

/**
 * Ends the grant, because the token was used by two parties and it is unknown which of them is the client and which is
 * the thief.
 */
const endForReuse = async (
  { organizationId, grantId }: { organizationId: OrganizationId; grantId: string },
  what: 'code' | 'refresh token',
  source: RequestSource | null,
): Promise<RefusedGrant> => {
  const cause = { author: SERVICE, source };
  const revoked = await grants.revoke(organizationId, grantId, { at: nowIso(), reason: 'reuse' }, cause);
  // The reuse is counted only once, so that further attempts cause no more alarms.
  if (revoked?.isEnded) {
    record('TokenReuse', 1, {});
    log.warn('a code or refresh token was used again', { organization_id: organizationId, grant_id: grantId });
  }
  return refused('invalid_grant', `the ${what} was used before: its grant has ended`);
};

/** The redemption of a code and its tokens, which are the same in every attempt. */
interface Redemption {
  code: string;
  presented: Presented;
  prove: ProveClient;
  /** Id of this request. It is generated here, so that no other request can have the same id. */
  requestId: string;
  tokens: ReturnType<typeof issue> | undefined;
  source: RequestSource | null;
}

const judgeNow = async ({ code, presented, requestId }: Redemption) => {
  const stored = await findCode(code);
  return { stored, verdict: judgeCode(stored, presented, { requestId, nowMs: nowMs() }) };
};

/**
 * Redeems the code. If the table stored the redemption and its response was lost, the code already names this request
 * as the redeemer.
 */
const redeemFor = async (redemption: Redemption, grant: Grant): Promise<Exchanged> => {
  redemption.tokens ??= issue(grant, FIRST_GENERATION, nowMs());
  const { code, requestId, tokens, source } = redemption;
  try {
    await redeem({ code, requestId, grant }, tokens.items, source);
  } catch (error) {
    if (error instanceof grants.GrantConflict) throw error;
    if ((await judgeNow(redemption)).verdict.kind !== 'redeemed') throw error;
  }
  return given(tokens.issued);
};

const GRANT_ENDED = 'the grant of this code has ended';

const attemptRedemption = async (redemption: Redemption): Promise<Exchanged> => {
  const { stored, verdict } = await judgeNow(redemption);
  if (verdict.kind === 'refused') return verdict;
  if (verdict.kind === 'redeemed') return given(redemption.tokens!.issued);
  const grant = await grants.find(stored!.organizationId, stored!.grantId);
  if (grant === undefined) return refused('invalid_grant', GRANT_ENDED);
  await redemption.prove(grant.clientAuth);
  if (verdict.kind === 'reuse') return endForReuse(stored!, 'code', redemption.source);
  if (!isActive(grant, nowMs())) return refused('invalid_grant', GRANT_ENDED);
  return redeemFor(redemption, grant);
};

/**
 * Exchanges a code for the first tokens of its grant. Only one request gets these tokens.
 * @throws GrantConflict while other requests keep changing the grant
 * @throws ClientRefused
 */
export const redeemCode = (
  code: string,
  presented: Presented & PresentedClient,
  source: RequestSource | null,
): Promise<Exchanged> => {
  const prove = proveOnce(presented);
  const redemption: Redemption = { code, presented, prove, requestId: randomUUID(), tokens: undefined, source };
  return retryOnConflict([grants.GrantConflict], AGENT_LIMITS.grantChangeAttemptsMax, () =>
    attemptRedemption(redemption),
  );
};

/**
 * Exchanges a refresh token for new tokens of its grant.
 * @throws GrantConflict while other requests keep changing the grant
 * @throws QuotaSpent if the grant was refreshed too often in this minute; in this case nothing changes
 * @throws ClientRefused
 */
export const refreshTokens = (
  token: string,
  request: Omit<RefreshRequest, 'nowMs'> & PresentedClient,
  source: RequestSource | null,
): Promise<Exchanged> => {
  const prove = proveOnce(request);
  return retryOnConflict([grants.GrantConflict], AGENT_LIMITS.grantChangeAttemptsMax, async () => {
    const stored = await findRefreshToken(token);
    const grant = stored && (await grants.find(stored.organizationId, stored.grantId));
    const atMs = nowMs();
    const verdict = judgeRefresh(stored, grant, { ...request, nowMs: atMs }, AGENT_LIMITS);
    if (verdict.kind === 'refused') return verdict;
    await prove(grant!.clientAuth);
    if (verdict.kind === 'reuse') return endForReuse(stored!, 'refresh token', source);
    const { organizationId, id } = grant!;
    await countInMinute((minute) => keys.refreshes(organizationId, id, minute), {
      starts: AGENT_LIMITS.refreshesPerMinute,
    });
    const { issued, items } = issue(grant!, verdict.step.generation, atMs);
    await putIssued(grants.moveGrant(grant!, verdict.step), items);
    return given(issued);
  });
};

export type RevocationResult = 'revoked' | 'unknown' | 'another_client' | 'not_revocable';

const ownerOf = async (token: string): Promise<{ organizationId: OrganizationId; grantId: string } | undefined> => {
  if (!isTokenForm(token)) return findRefreshToken(token);
  const found = await findToken(token);
  return found && { organizationId: found.organizationId, grantId: found.credentialId };
};

/**
 * Ends the grant of an access or refresh token (RFC 7009). API keys stay, because only their owner revokes them.
 * @throws ClientRefused
 */
export const revokeToken = async (
  token: string,
  client: PresentedClient,
  source: RequestSource | null,
): Promise<RevocationResult> => {
  if (token.startsWith(TOKEN_PREFIXES.key)) return 'not_revocable';
  const owner = await ownerOf(token);
  const grant = owner && (await grants.find(owner.organizationId, owner.grantId));
  if (grant === undefined) return 'unknown';
  if (grant.clientId !== client.clientId) return 'another_client';
  await proveOnce(client)(grant.clientAuth);
  const cause = { author: { kind: 'application', id: grant.id }, source } as const;
  await grants.revoke(grant.organizationId, grant.id, { at: nowIso(), reason: 'application' }, cause);
  return 'revoked';
};
