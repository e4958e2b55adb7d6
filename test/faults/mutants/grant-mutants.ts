/** Rules of grants, each broken once: the histories of grants must notice. */
import { type Change, type Mutant, one } from './mutant.ts';

const GRANT_RULES = 'shared/agents/grant.rules.ts';
const REFRESH_RULES = 'shared/agents/refresh.rules.ts';
const GRANTS = 'shared/agents/grant.store.ts';
const CODES = 'shared/agents/authorization-code.store.ts';
const TOKENS = 'shared/agents/issue-tokens.ts';
const ITEMS = 'shared/agents/issued-items.store.ts';
const AUTH = 'shared/http/request/auth.ts';

const ofGrants = (...mutant: Parameters<typeof one>): Mutant => ({ ...one(...mutant), of: 'grants' });
const several = (name: string, ...changes: Change[]): Mutant => ({ name, changes, of: 'grants' });

const UNUSED: Change = {
  file: CODES,
  old: "if: 'attribute_not_exists(#used_by) AND #expires_at > :now',",
  new: "if: '#expires_at > :now',",
};
const UNMOVED: Change = {
  file: GRANTS,
  old: "if: '#generation = :generation AND #siblings = :siblings AND attribute_not_exists(#revoked_at)',\n  values: { generation: grant.generation, siblings: grant.siblings },",
  new: "if: 'attribute_not_exists(#revoked_at)',",
};

export const GRANT_MUTANTS: readonly Mutant[] = [
  several('a code redeemed by two requests at once', UNUSED, UNMOVED),
  ofGrants(
    'a spent code taken for its own',
    GRANT_RULES,
    "kind: code.usedBy === requestId ? 'redeemed' : 'reuse'",
    "kind: 'redeemed'",
  ),
  ofGrants(
    'a spent code only refused',
    GRANT_RULES,
    "if (code.usedBy !== null) return { kind: code.usedBy === requestId ? 'redeemed' : 'reuse' };",
    "if (code.usedBy !== null && code.usedBy !== requestId) return refused('invalid_grant', UNKNOWN);\n  if (code.usedBy !== null) return { kind: 'redeemed' };",
  ),
  several(
    'a code that is over redeemed',
    {
      file: GRANT_RULES,
      old: "Date.parse(code.expiresAt) <= nowMs ? refused('invalid_grant', UNKNOWN)",
      new: "nowMs < 0 ? refused('invalid_grant', UNKNOWN)",
    },
    { file: CODES, old: 'AND #expires_at > :now', new: 'AND #expires_at > :now OR attribute_not_exists(#used_by)' },
  ),
  ofGrants('a wrong verifier taken', GRANT_RULES, 'if (!fits(presented.verifier, code.challenge))', 'if (false)'),
  ofGrants(
    'a lost answer of the table taken for a refusal',
    TOKENS,
    "if ((await judgeNow(redemption)).verdict.kind !== 'redeemed') throw error;",
    'throw error;',
  ),
  ofGrants(
    'a grant redeemed and still gone in a day',
    GRANTS,
    'set: { ...grantItem.toChanges(step), ...expiresAt(grant.expiresAt) },',
    'set: grantItem.toChanges(step),',
  ),
  ofGrants(
    'reuse noticed, and nothing ended',
    TOKENS,
    "const revoked = await grants.revoke(organizationId, grantId, { at: nowIso(), reason: 'reuse' }, cause);",
    "const revoked = organizationId === '' ? await grants.revoke(organizationId, grantId, { at: nowIso(), reason: 'reuse' }, cause) : undefined;",
  ),
  ofGrants(
    'an old refresh token taken for ever',
    REFRESH_RULES,
    'nowMs < Date.parse(grant.rotatedAt) + limits.refreshGraceMs',
    'nowMs > 0',
  ),
  ofGrants(
    'a lost refresh answer taken for reuse',
    REFRESH_RULES,
    'const isSibling = generation + 1 === grant.generation',
    'const isSibling = generation + 2 === grant.generation',
  ),
  ofGrants(
    'siblings without number',
    REFRESH_RULES,
    'grant.siblings < limits.refreshSiblingsMax',
    'grant.siblings >= 0',
  ),
  ofGrants(
    'a refresh token of long ago taken',
    REFRESH_RULES,
    'generation + 1 === grant.generation && isFresh',
    'generation < grant.generation && isFresh',
  ),
  ofGrants(
    'a refresh token that is over taken',
    REFRESH_RULES,
    'Date.parse(token.expiresAt) <= nowMs || !isActive(grant, nowMs)',
    '!isActive(grant, nowMs)',
  ),
  ofGrants(
    'a refresh token served to another client',
    REFRESH_RULES,
    'grant.clientId !== clientId)',
    "clientId === '')",
  ),
  ofGrants(
    'a grant that ended refreshed',
    REFRESH_RULES,
    'Date.parse(token.expiresAt) <= nowMs || !isActive(grant, nowMs)',
    'Date.parse(token.expiresAt) <= nowMs || Date.parse(grant.expiresAt) <= nowMs',
  ),
  several('two refreshes at once, both as if single', UNMOVED),
  ofGrants(
    'a grant moved on while it ended',
    GRANTS,
    "if: '#generation = :generation AND #siblings = :siblings AND attribute_not_exists(#revoked_at)',",
    "if: '#generation = :generation AND #siblings = :siblings',",
  ),
  ofGrants(
    'a grant ended twice',
    GRANTS,
    "if: 'attribute_exists(pk) AND attribute_not_exists(#revoked_at)',",
    "if: 'attribute_exists(pk)',",
  ),
  ofGrants('a token that outlives its grant', AUTH, "kind === 'key' || isActive(", "kind !== '' || isActive("),
  several(
    'a grant that is over taken for active, with tokens that outlive it',
    {
      file: GRANT_RULES,
      old: "return Date.parse(expiresAt) <= nowMs ? 'expired' : 'active';",
      new: "return nowMs < 0 ? 'expired' : 'active';",
    },
    {
      file: ITEMS,
      old: 'new Date(Math.min(nowMs + lifeMs, Date.parse(grant.expiresAt))).toISOString();',
      new: 'new Date(nowMs + lifeMs + Date.parse(grant.expiresAt) * 0).toISOString();',
    },
  ),
  ofGrants(
    'an access token that is over let in',
    AUTH,
    '(record.expiresAt === null || Date.parse(record.expiresAt) > nowMs())',
    "(record.expiresAt === null || record.expiresAt !== '')",
  ),
  ofGrants(
    'a refresh token of the generation before',
    TOKENS,
    'issue(grant!, verdict.step.generation, atMs)',
    'issue(grant!, verdict.step.generation - 1, atMs)',
  ),
  ofGrants(
    'the grant of another client ended by its token',
    TOKENS,
    'if (grant.clientId !== client.clientId)',
    "if (client.clientId === '')",
  ),
  ofGrants(
    'tokens retained no longer than they are fresh',
    ITEMS,
    'const refreshUntil = endOf(grant, nowMs, AGENT_LIMITS.refreshTokenMs);',
    'const refreshUntil = endOf(grant, nowMs, AGENT_LIMITS.accessTokenMs);',
  ),
];
