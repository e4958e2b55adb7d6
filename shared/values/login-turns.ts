/**
 * Computes when a login may make its next call. Institutions block a login by its usage pattern, over all sessions and
 * workers (tax.md §3.5). Calls are counted in twentieths of the window. Each call has the end time of its twentieth, so
 * that the count is never too low. Pure.
 */
import * as z from 'zod';

export interface Pace {
  /** Minimum time between two calls of one session. */
  callDelayMs: number;
  /** Maximum number of calls per window and login. */
  callsMax: number;
  /** Length of the window in ms. */
  windowMs: number;
}

/**
 * Schema of the stored calls by wire. An institution may count two kinds of requests separately, and each kind is a
 * wire.
 */
export const storedTurns = () =>
  z.record(
    z.string(),
    z.object({
      /** Time of the last call, in epoch milliseconds. */
      lastMs: z.number(),
      /** End of each twentieth that has calls (epoch milliseconds, ascending) and the number of its calls. */
      counted: z.array(z.tuple([z.number(), z.number()])),
    }),
  );
export type StoredTurns = z.infer<ReturnType<typeof storedTurns>>;

type Wire = StoredTurns[string];

const PARTS = 20;
/** Wire name for calls of a worker that died, whose number and wire are unknown. */
const ANY_WIRE = '*';
/** Calls of a window that are reserved for logouts, so that a busy session can still be closed. */
const RESERVED_MAX = 2;
const RESERVED_SHARE = 10;
/** Number of calls that a login may need. In a window with few calls, a login gets half of the calls. */
const LOGIN_CALLS_MAX = 10;

export interface TurnOptions {
  /** True for a call that ends a session. */
  isLast?: boolean;
  /**
   * True for the first call of a login. The following calls of the login must fit into the same window, because a login
   * cannot be handed over halfway.
   */
  isLogin?: boolean;
}

/**
 * Returns the pace of one session. Sessions of one login do not see each other's calls, so each session gets an equal
 * share of the window.
 */
export const paceOfSession = ({ callsMax, ...pace }: Pace, sessionsPerLogin: number): Pace => ({
  ...pace,
  callsMax: callsMax > 0 ? Math.max(1, Math.floor(callsMax / sessionsPerLogin)) : 0,
});

export class LoginTurns {
  private readonly pace: Pace;
  private readonly wires: Map<string, Wire>;

  constructor(pace: Pace, stored: StoredTurns = {}) {
    this.pace = pace;
    this.wires = new Map(Object.entries(structuredClone(stored)));
  }

  private get hasWindow(): boolean {
    return this.pace.windowMs > 0 && this.pace.callsMax > 0;
  }

  private get isPaced(): boolean {
    return this.pace.callDelayMs > 0 || this.hasWindow;
  }

  /** Returns the number of calls of a window that this call must leave free. */
  private reserved({ isLast = false, isLogin = false }: TurnOptions): number {
    const { callsMax } = this.pace;
    const forLeaving = isLast ? 0 : Math.min(RESERVED_MAX, Math.floor(callsMax / RESERVED_SHARE));
    return forLeaving + (isLogin ? Math.min(LOGIN_CALLS_MAX, Math.floor(callsMax / 2)) : 0);
  }

  /** Returns the earliest time of the next call, in epoch milliseconds, not before `nowMs`. */
  next(wire: string, nowMs: number, options: TurnOptions = {}): number {
    if (!this.isPaced) return nowMs;
    const { callDelayMs, callsMax, windowMs } = this.pace;
    const names = new Set([wire, ANY_WIRE]);
    const held = [...names].map((name) => this.wires.get(name)).filter((each) => each !== undefined);
    let turnMs = Math.max(nowMs, ...held.map(({ lastMs }) => lastMs + callDelayMs));
    if (!this.hasWindow) return turnMs;
    const reserved = this.reserved(options);
    const newestFirst = held.flatMap(({ counted }) => counted).sort(([a], [b]) => b - a);
    let calls = 0;
    for (const [endMs, count] of newestFirst) {
      calls += count;
      if (calls < callsMax - reserved) continue;
      turnMs = Math.max(turnMs, endMs + windowMs);
      break;
    }
    return turnMs;
  }

  /** Returns the earliest time for work that may call on every wire. */
  nextOnEach(nowMs: number, options: TurnOptions = {}): number {
    return Math.max(nowMs, ...[ANY_WIRE, ...this.wires.keys()].map((wire) => this.next(wire, nowMs, options)));
  }

  /** Counts a call that is made now. */
  count(wire: string, nowMs: number, calls = 1): void {
    if (!this.isPaced) return;
    const { counted } = this.wires.get(wire) ?? { counted: [] };
    const partMs = this.pace.windowMs / PARTS;
    const endMs = this.hasWindow ? Math.ceil((nowMs + 1) / partMs) * partMs : nowMs;
    const kept = counted.filter(([end]) => end !== endMs && end + this.pace.windowMs > nowMs);
    const before = counted.find(([end]) => end === endMs)?.[1] ?? 0;
    const all: Wire['counted'] = this.hasWindow ? [...kept, [endMs, before + calls]] : [];
    this.wires.set(wire, { lastMs: nowMs, counted: all.sort(([a], [b]) => a - b) });
  }

  /**
   * Counts calls of a worker that died at `atMs` before it stored its last calls: as many calls as this pace allows in
   * `withinMs`.
   */
  countUnknown(atMs: number, withinMs: number): void {
    const { callDelayMs, callsMax } = this.pace;
    const atPace = callDelayMs > 0 ? Math.ceil(withinMs / callDelayMs) : callsMax;
    this.count(ANY_WIRE, atMs, this.hasWindow ? Math.min(callsMax, atPace) : atPace);
  }

  /** Returns the calls that still count at `nowMs`. */
  toStored(nowMs: number): StoredTurns {
    const { callDelayMs, windowMs } = this.pace;
    const lasting = [...this.wires].map(([wire, { lastMs, counted }]): [string, Wire] => [
      wire,
      { lastMs, counted: counted.filter(([endMs]) => endMs + windowMs > nowMs) },
    ]);
    return Object.fromEntries(
      lasting.filter(([, { lastMs, counted }]) => counted.length > 0 || lastMs + callDelayMs > nowMs),
    );
  }
}
