/**
 * Was what an act was told right? Judged by what befell the grant in the table and by what the design promises, not by the
 * rules of the code: from the moment at which the act began to the one at which it ended. What was over when it began must be
 * refused; what ends while it runs may go either way, but for a revocation, which every write is conditional on.
 */
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import type { Machine } from '../machine/machine.ts';
import type { Act, Life, Line } from './line.ts';

const GRACE_MS = 30_000;
const SIBLINGS_MAX = 5;
const MINUTE_MS = 60_000;

const isRevokedBy = ({ facts }: Line, seq: number): boolean => (facts.revoked?.seq ?? Number.POSITIVE_INFINITY) <= seq;

/** Surely over, and perhaps. */
const isOver = ({ overFromMs }: Life, atMs: number): boolean => overFromMs <= atMs;
const mayBeOver = ({ holdsUntilMs }: Life, atMs: number): boolean => holdsUntilMs <= atMs;

/**
 * Is a token of this generation one that came a second time, by then? A rotation counts from some moment between the
 * beginning of its act and its write: from the later one it surely is, from the earlier one it may be.
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
  if (isIn && isRevokedBy(line, beganSeq)) return ['a token of a grant that had ended was let in'];
  if (isIn && isOver(token!.life, beganMs)) return ['a token that was over was let in'];
  const mayBeOut = isRevokedBy(line, endedSeq) || mayBeOver(token!.life, endedMs);
  return isIn || mayBeOut ? [] : ['a token that holds was refused'];
};

const redeemFaults = (act: Act): string[] => {
  const { line, isRightful, beganMs, endedSeq, endedMs } = act;
  const { redeemed, goneSeq, codeGoneSeq } = line.facts;
  const isGone = Math.min(goneSeq, codeGoneSeq) <= endedSeq;
  const byAnother = redeemed !== undefined && redeemed.by !== act && redeemed.seq <= endedSeq;
  if (act.outcome!.kind === 'issued') {
    if (!isRightful) return ['a code was given to who had no right to it'];
    if (redeemed?.by !== act) return ['a second request redeemed the code'];
    const isLate = isOver(line.codeLife, beganMs) || isRevokedBy(line, redeemed.seq);
    return isLate ? ['a code that was over was redeemed'] : [];
  }
  if (!isRightful) return [];
  const isEnded = isRevokedBy(line, endedSeq) || isGone;
  if (!byAnother && !isEnded && !mayBeOver(line.codeLife, endedMs)) return ['a code that holds was refused'];
  return byAnother && !isEnded ? ['a code came again, and its grant goes on'] : [];
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
    if (isOver(life, beganMs) || isRevokedBy(line, issue.seq)) return ['a refresh token that was over was taken'];
    return isReuse(line, generation, { seq: issue.seq, atMs: beganMs }, true)
      ? ['a refresh token came again, and was taken']
      : [];
  }
  if (!isRightful) return [];
  if (revoked?.by === act && !isReuse(line, generation, revoked, false))
    return ['a client that lost an answer lost its grant'];
  const isRight = isRevokedBy(line, endedSeq) || mayBeOver(life, endedMs) || goneSeq <= endedSeq;
  return isRight ? [] : ['a refresh token that holds was refused'];
};

const revokeFaults = (act: Act): string[] => {
  const { line, isRightful, endedSeq, outcome } = act;
  if (outcome!.kind === 'revoked' && !isRightful) return ['another client ended the grant'];
  // A token that TTL took away names no grant any more.
  const mayStay = act.kind === 'revoke-token' && mayBeOver(act.token!.life, act.endedMs);
  const isEnded = isRevokedBy(line, endedSeq) || line.facts.goneSeq <= endedSeq || mayStay;
  return isRightful && !isEnded ? ['a grant goes on after it was ended'] : [];
};

/** Clocks differ: one of the two minutes beside the act's own may be the one that is full. */
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
  // One fault alone: the write was done, its answer lost, and everything else worked.
  return isLost && met === 1 ? ['it redeemed the code and gave up'] : [];
};

/** Others were at the grant meanwhile, at least as often as it was tried. */
const busyFaults = ({ line, beganSeq, endedSeq, name }: Act): string[] => {
  const { redeemed, issues, revoked, created } = line.facts;
  const moments = [redeemed, ...issues, revoked, created].filter((moment) => moment !== undefined);
  const others = moments.filter(({ seq, by }) => by.name !== name && seq > beganSeq && seq <= endedSeq);
  return others.length >= AGENT_LIMITS.grantChangeAttemptsMax ? [] : ['it was refused as busy where nobody was'];
};

const JUDGES: Readonly<Record<string, (act: Act) => string[]>> = {
  use: useFaults,
  redeem: redeemFaults,
  refresh: refreshFaults,
  revoke: revokeFaults,
  'revoke-token': revokeFaults,
};

/** What was wrong about how the act ended. */
export const faultsOf = (act: Act, machine: Machine): string[] => {
  const { kind } = act.outcome!;
  if (kind === 'died') return [];
  const found =
    kind === 'error' ? errorFaults(act, machine) : kind === 'busy' ? busyFaults(act) : JUDGES[act.kind]?.(act);
  return (found ?? []).map((what) => `${act.name}: ${what}`);
};

/** One code, one redemption; nothing was written twice, nor more often in a minute than is allowed. */
export const lineFaults = ({ grantId, facts }: Line): string[] => {
  if ([...facts.refreshesOf.values()].some((count) => count > AGENT_LIMITS.refreshesPerMinute))
    return [`${grantId}: refreshed more often in a minute than is allowed`];
  const names = facts.issues.map(({ by }) => by.name);
  return new Set(names).size === names.length ? [] : [`${grantId}: one refresh moved the grant twice`];
};
