/**
 * When a login may make its next call: institutions block one by its pattern of use, whichever session or worker calls
 * (tax.md §3.5). Calls are counted by twentieths of the window, each as old as its twentieth's end: never too few. Pure.
 */
import * as z from 'zod';

export interface Pace {
  /** Least time between two calls of one session. */
  callDelayMs: number;
  /** At most so many calls … */
  callsMax: number;
  /** … in so long a window, per login. */
  windowMs: number;
}

/** By wire: an institution may count two ways of asking apart. */
export const storedTurns = () =>
  z.record(
    z.string(),
    z.object({
      /** Of the last call, epoch milliseconds. */
      lastMs: z.number(),
      /** End of each twentieth with calls, epoch milliseconds, ascending, and how many. */
      counted: z.array(z.tuple([z.number(), z.number()])),
    }),
  );
export type StoredTurns = z.infer<ReturnType<typeof storedTurns>>;

type Wire = StoredTurns[string];

const PARTS = 20;
/** Calls of a worker that died: nobody knows how many it made, nor on which wire. */
const ANY_WIRE = '*';
/** Of the window's calls these are left to those that leave: a session must not stay open because it was busy. */
const RESERVED_MAX = 2;
const RESERVED_SHARE = 10;
/** Most logins are done in so many calls; where a window has few, half of it. */
const LOGIN_CALLS_MAX = 10;

export interface TurnOptions {
  /** A call that ends a session. */
  isLast?: boolean;
  /** The first call of a login: the others are to fit into the same window, for a login cannot be handed over half done. */
  isLogin?: boolean;
}

/** Sessions of one login do not know of each other's calls: each has its share of the window. */
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

  /** How many calls of a window are left to others. */
  private reserved({ isLast = false, isLogin = false }: TurnOptions): number {
    const { callsMax } = this.pace;
    const forLeaving = isLast ? 0 : Math.min(RESERVED_MAX, Math.floor(callsMax / RESERVED_SHARE));
    return forLeaving + (isLogin ? Math.min(LOGIN_CALLS_MAX, Math.floor(callsMax / 2)) : 0);
  }

  /** Epoch milliseconds of the next call's turn, `nowMs` at the earliest. */
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

  /** The same for work that may call on each wire. */
  nextOnEach(nowMs: number, options: TurnOptions = {}): number {
    return Math.max(nowMs, ...[ANY_WIRE, ...this.wires.keys()].map((wire) => this.next(wire, nowMs, options)));
  }

  /** A call is made now. */
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

  /** A worker died `atMs` without telling its last calls: as many as it can have made in `withinMs` at this pace. */
  countUnknown(atMs: number, withinMs: number): void {
    const { callDelayMs, callsMax } = this.pace;
    const atPace = callDelayMs > 0 ? Math.ceil(withinMs / callDelayMs) : callsMax;
    this.count(ANY_WIRE, atMs, this.hasWindow ? Math.min(callsMax, atPace) : atPace);
  }

  /** What still counts at `nowMs`. */
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
