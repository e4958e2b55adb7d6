/** What may go wrong with a call, and how often, drawn anew for every history. */
import type { Random } from '#test/helpers/random.ts';

export type Fault =
  /** The worker dies before the call reaches anything, or after it did. */
  | 'die-before'
  | 'die-after'
  /** The call fails and had no effect; or it had, and nobody learns of it. */
  | 'fail-before'
  | 'fail-after'
  /** The SDK sent it again because the first answer was lost: the second one is told. */
  | 'twice'
  /** The same, but the first one is done late: minutes after the second, when nobody waits for its answer. In themes alone. */
  | 'echo'
  /** The worker dies while its request is on its way, and that is done minutes later. In themes alone. */
  | 'die-late'
  /** Another transaction is on the item. */
  | 'conflict'
  /** Part of a batch is left over. */
  | 'unprocessed'
  /** The answer takes minutes: longer than a lease. */
  | 'stall'
  /** The whole worker stands still for minutes, its heartbeat with it, and then goes on as if nothing had been. */
  | 'freeze';

const ALL: readonly Fault[] = [
  'die-before',
  'die-after',
  'fail-before',
  'fail-after',
  'twice',
  'conflict',
  'unprocessed',
  'stall',
  'freeze',
];

/** What the SDK, or we with it, must make good: whoever calls gets a true answer, and soon. */
export const BORNE: readonly Fault[] = ['twice', 'echo', 'conflict', 'unprocessed'];

/** Calls that fail more often than others. */
export interface Aim {
  /** Their names, as a replayed story tells them. */
  calls: RegExp;
  rate: number;
  kinds: readonly Fault[];
}

export interface FaultProfile {
  /** Chance of a fault per call. */
  rate: number;
  kinds: readonly Fault[];
  aims: readonly Aim[];
  /** So many in all, then everything works: a history must come to its end. */
  left: number;
  /** Chances of messages, per sending and per delivery. */
  lost: number;
  doubled: number;
  late: number;
  /** The institution refuses or breaks off, per call. */
  source: number;
  /** Receivers of webhooks fail, per attempt. */
  receiver: number;
}

export const CALM: FaultProfile = {
  rate: 0,
  kinds: [],
  aims: [],
  left: 0,
  lost: 0,
  doubled: 0,
  late: 0,
  source: 0,
  receiver: 0,
};

/** A tenth of the histories is calm: they prove that the checks hold where nothing goes wrong. */
export const drawFaults = (random: Random): FaultProfile => {
  if (random.chance(0.1)) return { ...CALM };
  const kinds = ALL.filter(() => random.chance(0.5));
  const rates = [0, 0.02, 0.1, 0.3] as const;
  return {
    rate: kinds.length === 0 ? 0 : random.pick([0.003, 0.01, 0.03, 0.1]),
    kinds,
    aims: [],
    left: random.int(1, 14),
    lost: random.pick(rates),
    doubled: random.pick(rates),
    late: random.pick(rates),
    source: random.pick([0, 0, 0.02, 0.1]),
    receiver: random.pick([0, 0, 0.2, 0.7]),
  };
};
