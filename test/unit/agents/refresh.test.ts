import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Grant } from '#shared/agents/grant.rules.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { judgeRefresh, type RefreshRequest, type RefreshToken } from '#shared/agents/refresh.rules.ts';
import { runs } from '#test/helpers/effort.ts';
import { AT_MS, aGrant, iso } from './grants.ts';

const token = (generation: number, changes: Partial<RefreshToken> = {}): RefreshToken => ({
  organizationId: 'org',
  grantId: 'grant',
  generation,
  expiresAt: iso(AT_MS + AGENT_LIMITS.refreshTokenMs),
  ...changes,
});
const REQUEST: RefreshRequest = { clientId: 'client', resource: undefined, nowMs: AT_MS };
const rotatedAt = iso(AT_MS - 1_000);

const judged = (
  of: RefreshToken | undefined,
  grant: Partial<Grant> | undefined,
  changes: Partial<RefreshRequest> = {},
) => judgeRefresh(of, grant && { ...aGrant(), ...grant }, { ...REQUEST, ...changes }, AGENT_LIMITS);

describe('a refresh token', () => {
  test('of the generation that the grant has is rotated', () => {
    expect(judged(token(3), { generation: 3, siblings: 2, rotatedAt })).toEqual({
      kind: 'issue',
      step: { generation: 4, siblings: 0, rotatedAt: iso(AT_MS) },
    });
  });

  test('of the generation before gets another of the new one: its answer may have been lost', () => {
    expect(judged(token(3), { generation: 4, siblings: 1, rotatedAt })).toEqual({
      kind: 'issue',
      step: { generation: 4, siblings: 2, rotatedAt },
    });
  });

  test.each([
    ['after 30 seconds', token(3), { generation: 4, rotatedAt: iso(AT_MS - 30_000) }],
    ['a sixth time', token(3), { generation: 4, siblings: 5, rotatedAt }],
    ['two generations late', token(2), { generation: 4, rotatedAt }],
    ['where nothing was rotated', token(0), { generation: 1 }],
    ['of a generation that was never given', token(5), { generation: 4, rotatedAt }],
  ])('%s is reuse', (_, of, grant) => {
    expect(judged(of, grant)).toEqual({ kind: 'reuse' });
  });

  test('is let in to the last millisecond of its 30 seconds', () => {
    expect(judged(token(3), { generation: 4, rotatedAt: iso(AT_MS - 29_999) })).toMatchObject({ kind: 'issue' });
  });

  test.each([
    ['unknown', undefined, {}, {}],
    ['without its grant', token(1), undefined, {}],
    ['of another client', token(1), {}, { clientId: 'other' }],
    ['expired', token(1, { expiresAt: iso(AT_MS) }), {}, {}],
    ['of a revoked grant', token(1), { revokedAt: iso(AT_MS) }, {}],
    ['of an expired grant', token(1), { expiresAt: iso(AT_MS) }, {}],
  ])('%s is refused, and nothing changes', (_, of, grant, changes) => {
    expect(judged(of, grant, changes)).toMatchObject({ kind: 'refused', error: 'invalid_grant' });
  });

  test('has no other resource', () => {
    expect(judged(token(1), {}, { resource: 'https://other.example/' })).toMatchObject({ error: 'invalid_target' });
    expect(judged(token(1), {}, { resource: `${aGrant().resource}/` })).toMatchObject({ kind: 'issue' });
  });
});

describe('over any sequence of refreshes', () => {
  /** Which of the issued tokens is used, and how long after the previous step. */
  const steps = fc.array(
    fc.record({ which: fc.nat(), pauseMs: fc.constantFrom(0, 1_000, 29_999, 30_000, 3_600_000) }),
    {
      minLength: 1,
      maxLength: 30,
    },
  );

  const play = (sequence: readonly { which: number; pauseMs: number }[]) => {
    let [grant, nowMs] = [aGrant(), AT_MS];
    const given = [token(1)];
    const used: { generation: number; nowMs: number; kind: string }[] = [];
    for (const { which, pauseMs } of sequence) {
      nowMs += pauseMs;
      const of = given[which % given.length]!;
      const verdict = judgeRefresh(of, grant, { ...REQUEST, nowMs }, AGENT_LIMITS);
      used.push({ generation: of.generation, nowMs, kind: verdict.kind });
      if (verdict.kind === 'reuse') grant = { ...grant, revokedAt: iso(nowMs), revokedFor: 'reuse' };
      if (verdict.kind !== 'issue') continue;
      grant = { ...grant, ...verdict.step };
      given.push(token(verdict.step.generation));
    }
    return { used, grant };
  };

  test('nothing is issued after reuse, generations only grow, and no generation is issued more than six times', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const { used, grant } = play(sequence);
        const reuse = used.findIndex(({ kind }) => kind === 'reuse');
        if (reuse >= 0) expect(used.slice(reuse + 1).every(({ kind }) => kind === 'refused')).toBe(true);
        expect(grant.revokedAt !== null).toBe(reuse >= 0);
        const issued = used.filter(({ kind }) => kind === 'issue');
        for (const [, group] of Map.groupBy(issued, ({ generation }) => generation))
          expect(group.length).toBeLessThanOrEqual(6);
        // A token that is used again more than 30 s after its first use never gets an answer with tokens.
        for (const [at, { generation, nowMs }] of issued.entries()) {
          const first = issued.slice(0, at).find((each) => each.generation === generation);
          if (first) expect(nowMs - first.nowMs).toBeLessThan(AGENT_LIMITS.refreshGraceMs);
        }
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('a client that uses only its newest token is never taken for a thief', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(86_400_000), { maxLength: 20 }), (pauses) => {
        let [grant, of, nowMs] = [aGrant(), token(1), AT_MS];
        for (const pauseMs of pauses) {
          nowMs += pauseMs;
          const verdict = judgeRefresh(of, grant, { ...REQUEST, nowMs }, AGENT_LIMITS);
          if (verdict.kind !== 'issue') {
            expect(verdict.kind).toBe('refused');
            return;
          }
          grant = { ...grant, ...verdict.step };
          of = token(verdict.step.generation, { expiresAt: iso(nowMs + AGENT_LIMITS.refreshTokenMs) });
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
