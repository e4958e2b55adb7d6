/**
 * Checks whether an act got the right answer. The checks use the facts of the table and the promises of the design, not
 * the rules of the code, over the time from the act's beginning to its end. A token that had expired when the act began
 * must be refused; if it expires while the act runs, both answers are right. A revocation is exact, because every write
 * is conditional on it.
 */
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import type { Machine } from '../machine/machine.ts';
import type { Act, Life, Line } from './line.ts';

const GRACE_MS = 30_000;
const SIBLINGS_MAX = 5;
const MINUTE_MS = 60_000;

const isRevokedBy = ({ facts }: Line, seq: number): boolean => (facts.revoked?.seq ?? Number.POSITIVE_INFINITY) <= seq;

/** `isOver`: certainly expired. `mayBeOver`: possibly expired. */
const isOver = ({ overFromMs }: Life, atMs: number): boolean => overFromMs <= atMs;
const mayBeOver = ({ holdsUntilMs }: Life, atMs: number): boolean => holdsUntilMs <= atMs;

/**
 * Whether a token of this generation was already used before `until`. A rotation counts from some moment between the
 * beginning of its act and its write: after the write the reuse is certain (`isSure`), before it only possible.
 */
const isReuse = (
  { facts }: Line,
  generation: number,
  until: { seq: number; atMs: number },
  isSure: boolean,
): boolean => {
  const before = facts.issues.filter(({ seq }) => seq < until.seq);
  const same = before.filter(({ from }) => from === generation);
  const isLate = same.some(({ atMs, by }) => until.atMs >= (isSure ? atMs : by.beganMs) + GRACE_MS);
  return isLate || same.length > SIBLINGS_MAX || before.some(({ from }) => from > generation);
};

const useFaults = (act: Act): string[] => {
  const { line, token, beganSeq, beganMs, endedSeq, endedMs } = act;
  const isIn = act.outcome!.kind === 'in';
  if (isIn && isRevokedBy(line, beganSeq)) return ['a token of an ended grant was accepted'];
  if (isIn && isOver(token!.life, beganMs)) return ['an expired token was accepted'];
  const mayBeOut = isRevokedBy(line, endedSeq) || mayBeOver(token!.life, endedMs);
  return isIn || mayBeOut ? [] : ['a valid token was refused'];
};

const redeemFaults = (act: Act): string[] => {
  const { line, isRightful, beganMs, endedSeq, endedMs } = act;
  const { redeemed, goneSeq, codeGoneSeq } = line.facts;
  const isGone = Math.min(goneSeq, codeGoneSeq) <= endedSeq;
  const byAnother = redeemed !== undefined && redeemed.by !== act && redeemed.seq <= endedSeq;
  if (act.outcome!.kind === 'issued') {
    if (!isRightful) return ['a client without the right redeemed a code'];
    if (redeemed?.by !== act) return ['a second request redeemed the code'];
    const isLate = isOver(line.codeLife, beganMs) || isRevokedBy(line, redeemed.seq);
    return isLate ? ['an expired code was redeemed'] : [];
  }
  if (!isRightful) return [];
  const isEnded = isRevokedBy(line, endedSeq) || isGone;
  if (!byAnother && !isEnded && !mayBeOver(line.codeLife, endedMs)) return ['a valid code was refused'];
  return byAnother && !isEnded ? ['a code was used again, and its grant is still active'] : [];
};

const refreshFaults = (act: Act): string[] => {
  const { line, token, isRightful, beganMs, endedSeq, endedMs } = act;
  const { issues, revoked, goneSeq } = line.facts;
  const { generation, life } = token!;
  const own = issues.filter(({ by }) => by === act);
  if (act.outcome!.kind === 'issued') {
    if (!isRightful) return ['a refresh token served another client'];
    const [issue] = own;
    if (issue === undefined || own.length > 1) return [`tokens were given out with ${own.length} writes`];
    if (isOver(life, beganMs) || isRevokedBy(line, issue.seq)) return ['an expired refresh token was accepted'];
    return isReuse(line, generation, { seq: issue.seq, atMs: beganMs }, true)
      ? ['a reused refresh token was accepted']
      : [];
  }
  if (!isRightful) return [];
  if (revoked?.by === act && !isReuse(line, generation, revoked, false))
    return ['a client that lost an answer lost its grant'];
  const isRight = isRevokedBy(line, endedSeq) || mayBeOver(life, endedMs) || goneSeq <= endedSeq;
  return isRight ? [] : ['a valid refresh token was refused'];
};

const revokeFaults = (act: Act): string[] => {
  const { line, isRightful, endedSeq, outcome } = act;
  if (outcome!.kind === 'revoked' && !isRightful) return ['another client ended the grant'];
  // After TTL removed a token, nothing links it to its grant.
  const mayStay = act.kind === 'revoke-token' && mayBeOver(act.token!.life, act.endedMs);
  const isEnded = isRevokedBy(line, endedSeq) || line.facts.goneSeq <= endedSeq || mayStay;
  return isRightful && !isEnded ? ['a grant is active after it was ended'] : [];
};

/** Clocks differ, so the minute before or after the act's own minute may be the one that is full. */
const isQuotaSpent = ({ line, beganMs, endedMs, outcome }: Act): boolean => {
  if ((outcome as { name: string }).name !== 'QuotaSpent') return false;
  const [first, last] = [Math.floor(beganMs / MINUTE_MS) - 1, Math.floor(endedMs / MINUTE_MS) + 1];
  return [...line.facts.refreshesOf].some(
    ([minute, count]) => minute >= first && minute <= last && count >= AGENT_LIMITS.refreshesPerMinute,
  );
};

const errorFaults = (act: Act, machine: Machine): string[] => {
  const met = machine.faultsOf.get(act.name) ?? 0;
  if (isQuotaSpent(act)) return [];
  if (met === 0) return [`it failed although nothing went wrong (${(act.outcome as { name: string }).name})`];
  const isLost = act.kind === 'redeem' && act.line.facts.redeemed?.by === act;
  // True for exactly one fault: the write was done, its answer was lost, and everything else worked.
  return isLost && met === 1 ? ['it redeemed the code and gave up'] : [];
};

/** Other acts wrote the grant meanwhile, at least as often as this act tried. */
const busyFaults = ({ line, beganSeq, endedSeq, name }: Act): string[] => {
  const { redeemed, issues, revoked, created } = line.facts;
  const moments = [redeemed, ...issues, revoked, created].filter((moment) => moment !== undefined);
  const others = moments.filter(({ seq, by }) => by.name !== name && seq > beganSeq && seq <= endedSeq);
  return others.length >= AGENT_LIMITS.grantChangeAttemptsMax ? [] : ['it was refused as busy without another writer'];
};

const JUDGES: Readonly<Record<string, (act: Act) => string[]>> = {
  use: useFaults,
  redeem: redeemFaults,
  refresh: refreshFaults,
  revoke: revokeFaults,
  'revoke-token': revokeFaults,
};

/** What was wrong about the end of the act. */
export const faultsOf = (act: Act, machine: Machine): string[] => {
  const { kind } = act.outcome!;
  if (kind === 'died') return [];
  const found =
    kind === 'error' ? errorFaults(act, machine) : kind === 'busy' ? busyFaults(act) : JUDGES[act.kind]?.(act);
  return (found ?? []).map((what) => `${act.name}: ${what}`);
};

/** A code is redeemed at most once, nothing is written twice, and no minute has more refreshes than allowed. */
export const lineFaults = ({ grantId, facts }: Line): string[] => {
  if ([...facts.refreshesOf.values()].some((count) => count > AGENT_LIMITS.refreshesPerMinute))
    return [`${grantId}: refreshed more often in a minute than is allowed`];
  const names = facts.issues.map(({ by }) => by.name);
  return new Set(names).size === names.length ? [] : [`${grantId}: one refresh moved the grant twice`];
};
