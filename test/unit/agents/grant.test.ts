import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Code,
  deriveGrantStatus,
  type Grant,
  isActive,
  isRedeemed,
  judgeCode,
  takesPlace,
} from '#shared/agents/grant.rules.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { runs } from '#test/helpers/effort.ts';
import { AT_MS, aGrant, iso } from './grants.ts';

const VERIFIER = 'a-verifier.of_43~characters'.padEnd(43, 'x');
const CODE: Code = {
  organizationId: 'org',
  grantId: 'grant',
  clientId: 'client',
  redirectUri: 'https://client.test/cb',
  challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  resource: 'https://data.example/api/mcp',
  expiresAt: iso(AT_MS + AGENT_LIMITS.authorizationCodeMs),
  usedBy: null,
};
const RIGHT = { clientId: 'client', redirectUri: 'https://client.test/cb', verifier: VERIFIER, resource: undefined };
const NOW = { requestId: 'r1', nowMs: AT_MS };

describe('a code', () => {
  test.each([[RIGHT], [{ ...RIGHT, redirectUri: undefined }], [{ ...RIGHT, resource: CODE.resource }]])(
    'is redeemed by %j',
    (presented) => {
      expect(judgeCode(CODE, presented, NOW)).toEqual({ kind: 'redeem' });
    },
  );

  const wrong = [
    ['invalid_grant', { clientId: 'other' }],
    ['invalid_grant', { redirectUri: 'https://client.test/cb/' }],
    ['invalid_grant', { verifier: `${VERIFIER}x` }],
    ['invalid_grant', { verifier: VERIFIER.slice(1) }],
    ['invalid_grant', { verifier: CODE.challenge }],
    ['invalid_grant', { verifier: '' }],
    ['invalid_grant', { verifier: 'ñ'.repeat(43) }],
    ['invalid_target', { resource: 'https://other.example/api/mcp' }],
  ] as const;

  test.each(wrong)('is refused with %s, and nothing else follows, for %j', (error, changes) => {
    for (const usedBy of [null, 'r1', 'r2'])
      expect(judgeCode({ ...CODE, usedBy }, { ...RIGHT, ...changes }, NOW)).toMatchObject({ kind: 'refused', error });
  });

  test('that nobody knows is refused', () => {
    expect(judgeCode(undefined, RIGHT, NOW)).toMatchObject({ kind: 'refused', error: 'invalid_grant' });
  });

  test('a challenge of another length fits nothing', () => {
    expect(judgeCode({ ...CODE, challenge: 'x' }, RIGHT, NOW)).toMatchObject({ error: 'invalid_grant' });
  });

  test('holds for a minute, not a millisecond longer', () => {
    const end = AT_MS + AGENT_LIMITS.authorizationCodeMs;
    expect(judgeCode(CODE, RIGHT, { ...NOW, nowMs: end - 1 })).toEqual({ kind: 'redeem' });
    expect(judgeCode(CODE, RIGHT, { ...NOW, nowMs: end })).toMatchObject({ error: 'invalid_grant' });
  });

  test('that is used stays valid for the request that used it, and is reuse for every other, also late', () => {
    const used = { ...CODE, usedBy: 'r1' };
    for (const nowMs of [AT_MS, AT_MS + 10 * AGENT_LIMITS.authorizationCodeMs]) {
      expect(judgeCode(used, RIGHT, { requestId: 'r1', nowMs })).toEqual({ kind: 'redeemed' });
      expect(judgeCode(used, RIGHT, { requestId: 'r2', nowMs })).toEqual({ kind: 'reuse' });
    }
  });

  test('is given to nobody without the verifier', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 140 }),
        fc.constantFrom(null, 'r1', 'r2'),
        fc.nat(100_000),
        (verifier, usedBy, late) => {
          fc.pre(verifier !== VERIFIER);
          const verdict = judgeCode(
            { ...CODE, usedBy },
            { ...RIGHT, verifier },
            { requestId: 'r1', nowMs: AT_MS + late },
          );
          expect(verdict.kind).toBe('refused');
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});

describe('a grant', () => {
  const end = AT_MS + AGENT_LIMITS.grantMs;

  test.each([
    ['active', {}, AT_MS, true],
    ['active', {}, end - 1, true],
    ['expired', {}, end, false],
    ['revoked', { revokedAt: iso(AT_MS) }, AT_MS, false],
    ['revoked', { revokedAt: iso(AT_MS) }, end, false],
  ] as const)('is %s with %j', (status, changes, nowMs, isOne) => {
    const grant: Grant = { ...aGrant(), ...changes };
    expect(deriveGrantStatus(grant, nowMs)).toBe(status);
    expect(isActive(grant, nowMs)).toBe(isOne);
  });

  test('that is not there holds nothing', () => {
    expect(isActive(undefined, AT_MS)).toBe(false);
  });

  test('takes a slot while it is active, and before its code was redeemed as long as the code is valid', () => {
    const codeMs = AGENT_LIMITS.authorizationCodeMs;
    const takes = (grant: Grant, nowMs: number) => takesPlace(grant, nowMs, { codeMs });
    const asked = { ...aGrant(), generation: 0 };
    expect([isRedeemed(asked), isRedeemed(aGrant())]).toEqual([false, true]);
    expect([takes(asked, AT_MS), takes(asked, AT_MS + codeMs - 1), takes(asked, AT_MS + codeMs)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([takes(aGrant(), AT_MS + codeMs), takes({ ...aGrant(), revokedAt: iso(AT_MS) }, AT_MS)]).toEqual([
      true,
      false,
    ]);
  });
});
