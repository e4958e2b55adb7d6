/** What a theme of histories says, and the words that themes are told in. */
import type { Aim, Fault, FaultProfile } from '../machine/faults.ts';

export type Act =
  | 'sync'
  | 'sync-first'
  | 'sync-second'
  | 'schedule'
  | 'cancel'
  | 'cancel-newest'
  | 'add'
  | 'change'
  | 'revise'
  /** The source stops showing a row. */
  | 'hide'
  | 'swap'
  | 'close'
  | 'correct'
  | 'remove'
  /** Many events at once, as of many runs that end together. */
  | 'burst'
  /** The patient reader of changes reads to the end. */
  | 'read'
  /** What goes wrong goes wrong from here on. */
  | 'trouble';
export type Cast = readonly [source: string, scopes: readonly string[]];

export interface Theme {
  name: string;
  cast?: Cast;
  /** The company has a second connection, with a login of its own at an honest institution. */
  hasTwoLogins?: boolean;
  /** Somebody reads the changes all the time, and after so many of the stores. */
  reads?: number;
  /** So many faults from the act `trouble` on. */
  troubles?: number;
  /** The month whose stores alone it hears of. */
  readsAfter?: string;
  faults: Partial<FaultProfile>;
  /** "callDelayMs,callsMax,windowMs" of every login; none otherwise. */
  pace?: string;
  endpoints: number;
  /** Each with the times that may pass after it. */
  acts: readonly (readonly [Act, readonly number[]])[];
}

export const QUIET: Partial<FaultProfile> = { rate: 0.003, lost: 0, doubled: 0, late: 0, source: 0, receiver: 0 };
export const DEATHS: readonly Fault[] = ['die-before', 'die-after'];
export const aim = (calls: RegExp, rate: number, kinds: readonly Fault[]): Aim => ({ calls, rate, kinds });

export const AT_ONCE = [0];
export const SOON = [0, 50, 150, 300, 600, 2_000];
export const LATER = [30_000, 90_000, 200_000, 400_000];
