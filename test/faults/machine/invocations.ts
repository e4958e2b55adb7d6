/** Workers under way, their calls, and whatever else has a time. */
import type { Fault } from './faults.ts';
import type { Owner } from './virtual-process.ts';

export interface Invocation extends Owner {
  id: number;
  name: string;
  /** When the platform ends it. */
  deadlineMs: number;
  /** Until then it stands still. */
  frozenMs: number;
  /** Until then one of its calls waits for an answer; zero: none did. */
  stalledMs: number;
  /** Nothing of it goes wrong: the history's own doings. */
  isSafe: boolean;
  /** The run it works for, where it does. */
  runId?: string;
  died: () => void;
}

/** What a call can have besides its effect. */
export interface CallOptions {
  /** Faults that make sense for it, besides those every call can have. */
  faults?: readonly Fault[];
  conflict?: () => Error;
  unprocessed?: () => unknown;
  /** A write without a condition. */
  isUnconditional?: boolean;
}

export interface PendingCall {
  invocation: Invocation;
  name: string;
  readyMs: number;
  stalled: boolean;
  options: CallOptions;
  apply: () => unknown;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

/** Something that happens at a time, whatever else: messages, the minute of the sweeper, the history's script. */
export interface Appointment {
  dueMs: number;
  happen: () => void;
}
