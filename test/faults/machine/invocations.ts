/** Running workers, their calls, and everything else with a due time. */
import { withLogFields } from '#shared/platform/log-context.ts';
import type { LogFields } from '#shared/platform/log-fields.ts';
import type { Random } from '#test/helpers/random.ts';
import type { Fault } from './faults.ts';
import { type Owner, owners } from './virtual-process.ts';

export interface Invocation extends Owner {
  id: number;
  name: string;
  /** Time at which the platform ends the worker. */
  deadlineMs: number;
  /** The worker is frozen until this time. */
  frozenMs: number;
  /** One call of the worker waits for an answer until this time; zero when no call does. */
  stalledMs: number;
  /** The history's own act: no fault hits it. */
  isSafe: boolean;
  died: () => void;
}

/** Services of AWS that may refuse calls as too many. */
export type Service = 'table' | 'bucket' | 'queue' | 'key' | 'scheduler';

/** Properties of a call besides its effect. */
export interface CallOptions {
  /** Faults that only this kind of call can meet, in addition to those of every call. */
  faults?: readonly Fault[];
  conflict?: () => Error;
  unprocessed?: () => unknown;
  /** The service that may refuse the call as too many, and its refusal. */
  service?: Service;
  refusal?: (random: Random) => Error;
  /** A write without a condition. */
  isUnconditional?: boolean;
}

export interface PendingCall {
  /** Log fields of the caller, which name its run: an invocation may have tasks of several runs. */
  fields: LogFields;
  invocation: Invocation;
  name: string;
  readyMs: number;
  stalled: boolean;
  options: CallOptions;
  apply: () => unknown;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

/** The end of a call that takes effect. */
export const effectOf = (apply: () => unknown, isTwice: boolean): { answer: unknown } | { refusal: unknown } => {
  try {
    const answer = apply();
    return { answer: isTwice ? apply() : answer };
  } catch (refusal) {
    return { refusal };
  }
};

/** Anything else that happens at a set time: messages, the sweeper's minute, the history's script. */
export interface Appointment {
  dueMs: number;
  happen: () => void;
}

/** The observers of a call see whose it is. */
export const asCaller = <T>({ invocation, fields }: PendingCall, apply: () => T): T =>
  withLogFields(fields, () => owners.run(invocation, apply));
