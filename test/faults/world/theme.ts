/** The parts of a theme of histories, and short names for writing themes. */
import type { Aim, Fault, FaultProfile } from '../machine/faults.ts';

export type Act =
  | 'sync'
  | 'sync-first'
  | 'sync-second'
  /** A person syncs the second connection. */
  | 'sync-other'
  | 'schedule'
  | 'schedule-other'
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
  /** Many events at once, as if many runs ended together. */
  | 'burst'
  /** The patient reader of changes reads to the end. */
  | 'read'
  /** Faults start here. */
  | 'trouble'
  /** A person, program or application changes something that the audit trail records. */
  | 'edit'
  /** People make connect links, and customers use them. */
  | 'link'
  /** A person replaces the credentials by those of one of two companies. */
  | 'company';
export type Cast = readonly [source: string, scopes: readonly string[]];

export interface Theme {
  name: string;
  cast?: Cast;
  /** The company has a second connection, with a login of its own at an honest institution. */
  hasTwoLogins?: boolean;
  /** Two connections have one login at an honest institution. */
  sharesLogin?: boolean;
  /** A client reads the changes all the time: the share of stores after which it reads. */
  reads?: number;
  /** Number of faults from the act `trouble` on. */
  troubles?: number;
  /** The client reads only after stores of this month. */
  readsAfter?: string;
  faults: Partial<FaultProfile>;
  /** The queues report that they hold many messages of others. */
  hasSlowQueues?: boolean;
  /** Number of due items that this version does not know. */
  stuckItems?: number;
  /** The institution refuses the password of the connection. */
  hasWrongPassword?: boolean;
  /** Credentials of several companies are sent, so that the login is not always shared with the second connection. */
  changesCompany?: boolean;
  /** The message of the first run is lost. */
  losesFirstRun?: boolean;
  /** "callDelayMs,callsMax,windowMs" of every login; no pace if absent. */
  pace?: string;
  endpoints: number;
  /** Each act with the pauses that may follow it, in ms. */
  acts: readonly (readonly [Act, readonly number[]])[];
}

export const QUIET: Partial<FaultProfile> = { rate: 0.003, lost: 0, doubled: 0, late: 0, source: 0, receiver: 0 };
export const DEATHS: readonly Fault[] = ['die-before', 'die-after'];
export const aim = (calls: RegExp, rate: number, kinds: readonly Fault[]): Aim => ({ calls, rate, kinds });

export const AT_ONCE = [0];
export const SOON = [0, 50, 150, 300, 600, 2_000];
export const LATER = [30_000, 90_000, 200_000, 400_000];
