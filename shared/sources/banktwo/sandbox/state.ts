/** State of one running sandbox. */
import { createMemory } from '../../sandbox-kit/memory.ts';
import type { SandboxOptions } from '../../sandbox-kit/server.ts';
import { type BanktwoBook, createBook } from './book.ts';
import { PORTFOLIO, SANDBOX_CREDENTIALS, type SandboxClient } from './credentials.ts';
import { type Cursors, createCursors } from './cursors.ts';
import { type AccessTokens, createTokens } from './tokens.ts';

export interface Knobs {
  latencyMs: number;
  /**
   * Limits of requests and of token calls, per minute and client; 0 for no limit. The bank allows 60 requests and 10
   * token calls (banks.md §3.2).
   */
  requestsPerMinute: number;
  tokensPerMinute: number;
  /** Largest number of simultaneous requests of one client. */
  parallelMax: number;
  /** Lifetime of a token. */
  tokenSeconds: number;
}

export interface State {
  now: () => number;
  knobs: Knobs;
  clients: ReadonlyMap<string, SandboxClient>;
  book: BanktwoBook;
  tokens: AccessTokens;
  cursors: Cursors;
  /** By client: number of token calls, including refused calls, and number of data calls. */
  logins: Map<string, number>;
  dataCalls: Map<string, number>;
  /** Times of the requests of the last minute, by kind and client, and the number of requests in progress. */
  minutes: Map<string, number[]>;
  inFlight: Map<string, number>;
}

export const createState = ({
  seed = 'banktwo',
  now = Date.now,
  knobs = {},
  memory = createMemory(),
}: SandboxOptions<Knobs>): State => ({
  now,
  knobs: { latencyMs: 0, requestsPerMinute: 0, tokensPerMinute: 0, parallelMax: 5, tokenSeconds: 1_800, ...knobs },
  clients: new Map([...SANDBOX_CREDENTIALS, ...PORTFOLIO].map((client) => [client.credentials.client_id, client])),
  book: createBook(seed, now, memory),
  tokens: createTokens(now, memory),
  cursors: createCursors(now, memory),
  logins: memory.map('logins'),
  dataCalls: memory.map('dataCalls'),
  minutes: memory.map('minutes'),
  inFlight: new Map(),
});

const MINUTE_MS = 60_000;

export interface MinuteCount {
  limit: number;
  remaining: number;
  /** Seconds until the next request is allowed. */
  reset: number;
  isExceeded: boolean;
}

/**
 * Counts a request in this minute. A request over the limit is not counted, and without a limit no request is counted.
 */
export const countMinute = (state: State, key: string, limit: number): MinuteCount => {
  if (limit === 0) return { limit, remaining: 0, reset: 0, isExceeded: false };
  const now = state.now();
  const times = (state.minutes.get(key) ?? []).filter((at) => now - at < MINUTE_MS);
  const isExceeded = times.length >= limit;
  if (!isExceeded) times.push(now);
  state.minutes.set(key, times);
  const reset = Math.max(1, Math.ceil(((times[0] ?? now) + MINUTE_MS - now) / 1000));
  return { limit, remaining: Math.max(0, limit - times.length), reset, isExceeded };
};
