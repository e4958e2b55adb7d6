/** Faults of a call and their rates, drawn again for every history. */
import type { Random } from '#test/helpers/random.ts';

export type Fault =
  /** The worker dies before its call has an effect, or after it. */
  | 'die-before'
  | 'die-after'
  /** The call fails without an effect; or it has an effect, but the caller gets an error. */
  | 'fail-before'
  | 'fail-after'
  /** The SDK sends the call again because the first answer was lost; the caller gets the second answer. */
  | 'twice'
  /**
   * Like `twice`, but the first call takes effect minutes after the second, when nobody waits for its answer. Only in
   * themes.
   */
  | 'echo'
  /** The worker dies while its request is on its way, and the request takes effect minutes later. Only in themes. */
  | 'die-late'
  /** Another transaction holds the item. */
  | 'conflict'
  /** Part of a batch stays unprocessed. */
  | 'unprocessed'
  /** The service refuses the call as too many; or it refuses the calls of everyone for minutes. */
  | 'throttle'
  | 'outage'
  /** The answer takes minutes, longer than a lease. */
  | 'stall'
  /** The whole worker freezes for minutes, including its heartbeat, and then continues as if nothing had happened. */
  | 'freeze';

const ALL: readonly Fault[] = [
  'die-before',
  'die-after',
  'fail-before',
  'fail-after',
  'twice',
  'conflict',
  'unprocessed',
  'throttle',
  'outage',
  'stall',
  'freeze',
];

/** Faults that the SDK or our code must absorb: the caller gets a correct answer, and soon. */
export const BORNE: readonly Fault[] = ['twice', 'echo', 'conflict', 'unprocessed', 'throttle'];

/** Calls that fail more often than others. */
export interface Aim {
  /** Names of calls, as a replayed history prints them. */
  calls: RegExp;
  rate: number;
  kinds: readonly Fault[];
}

export interface FaultProfile {
  /** Chance of a fault per call. */
  rate: number;
  kinds: readonly Fault[];
  aims: readonly Aim[];
  /** How long outages last; 5 s to 4 minutes if absent. */
  outagesMs?: readonly number[];
  /** Total number of faults; after them everything works, because a history must end. */
  left: number;
  /** Chances that a message is lost per send, and doubled per delivery. */
  lost: number;
  doubled: number;
  late: number;
  /** Chance per call that the institution refuses or breaks off. */
  source: number;
  /** Chance per attempt that a webhook receiver fails. */
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

/** A tenth of the histories has no faults: they prove that the checks pass when nothing goes wrong. */
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
