/** Acts of people, clients and thieves: each act runs as its own invocation, which may die or meet any fault. */

import { answerQuestion, readQuestion } from '#shared/agents/authorize.ts';
import { GrantConflict, revoke } from '#shared/agents/grant.store.ts';
import { type Exchanged, redeemCode, refreshTokens, revokeToken } from '#shared/agents/issue-tokens.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { callerOfBearer } from '#shared/http/request/auth.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import type { Act, GivenToken, Life, Outcome } from './line.ts';

type Doing = (act: Act) => Promise<Outcome>;

const SUBJECT = 'person';

const NEVER = Number.POSITIVE_INFINITY;

const consent: Doing = async (act) => {
  const { line } = act;
  const { organizationId, query, grantId } = line;
  const asked = { organizationId, subject: SUBJECT };
  const question = await readQuestion(query, asked);
  if (question.kind !== 'consent') throw new Error(JSON.stringify(question));
  const answer = await answerQuestion(
    { query, digest: question.digest, decision: 'allow', grantId },
    asked,
    BY_SERVICE,
  );
  if (answer.kind !== 'redirect') throw new Error(JSON.stringify(answer));
  line.life = { holdsUntilMs: NEVER, overFromMs: NEVER };
  line.codeLife = lifeOf(act, AGENT_LIMITS.authorizationCodeMs);
  line.life = lifeOf(act, AGENT_LIMITS.grantMs);
  line.code = new URL(answer.to).searchParams.get('code')!;
  return { kind: 'asked' };
};

/** The lifetime starts at some moment between the beginning of the act and its end, and never exceeds the grant's. */
const lifeOf = ({ line, beganMs }: Act, ms: number): Life => ({
  holdsUntilMs: Math.min(beganMs + ms, line.life.holdsUntilMs),
  overFromMs: Math.min(nowMs() + ms, line.life.overFromMs),
});

/** Stores in the line what the client learns from a successful exchange. */
const keep = (act: Act, exchanged: Exchanged, generation: number): Outcome => {
  if (exchanged.kind === 'refused') return { kind: 'refused' };
  const { accessToken, refreshToken } = exchanged.issued;
  act.line.access.push({ value: accessToken, generation, life: lifeOf(act, AGENT_LIMITS.accessTokenMs) });
  act.line.refresh.push({ value: refreshToken!, generation, life: lifeOf(act, AGENT_LIMITS.refreshTokenMs) });
  return { kind: 'issued' };
};

const redeem: Doing = async (act) => {
  const { line, isRightful } = act;
  const verifier = isRightful ? line.verifier : 'w'.repeat(43);
  const client = { clientId: line.clientId, assertion: null };
  const presented = { ...client, redirectUri: undefined, verifier, resource: undefined };
  return keep(act, await redeemCode(line.code!, presented, null), 1);
};

const refresh: Doing = async (act) => {
  const { line, token, isRightful } = act;
  const clientId = isRightful ? line.clientId : line.otherClientId;
  const exchanged = await refreshTokens(token!.value, { clientId, assertion: null, resource: undefined }, null);
  return keep(act, exchanged, token!.generation + 1);
};

const use: Doing = async ({ token }) => ({ kind: (await callerOfBearer(`Bearer ${token!.value}`)) ? 'in' : 'out' });

const end: Doing = async ({ line }) => {
  await revoke(line.organizationId, line.grantId, { at: nowIso(), reason: 'person' }, BY_SERVICE);
  return { kind: 'revoked' };
};

const endByToken: Doing = async ({ line, token, isRightful }) => {
  const clientId = isRightful ? line.clientId : line.otherClientId;
  const result = await revokeToken(token!.value, { clientId, assertion: null }, null);
  return { kind: result === 'revoked' ? 'revoked' : 'untouched' };
};

const DOINGS: Readonly<Record<Exclude<Act['kind'], 'ttl'>, Doing>> = {
  consent,
  redeem,
  refresh,
  use,
  revoke: end,
  'revoke-token': endByToken,
};

export const perform = async (act: Act): Promise<Outcome> => {
  try {
    return await DOINGS[act.kind as keyof typeof DOINGS](act);
  } catch (error) {
    if (error instanceof GrantConflict) return { kind: 'busy' };
    return { kind: 'error', name: (error as Error).name };
  }
};

/** The token that the client received last. A thief or another process may hold an older one. */
export const newest = (tokens: readonly GivenToken[]): GivenToken | undefined => tokens.at(-1);
