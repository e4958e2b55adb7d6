/** Everything one running sandbox knows. */
import { santiagoDay, santiagoPeriod } from '#shared/domain/dates.ts';
import type { SandboxCredential } from '../../sandbox-credential.ts';
import type { Behaviour } from './behaviour.ts';
import { type Books, createBooks } from './books.ts';
import { SANDBOX_CREDENTIALS } from './credentials.ts';
import { createSessions, type Sessions } from './sessions.ts';

export interface Knobs {
  latencyMs: number;
  /** 0: no limit. The portal allows 30 a minute (banks.md §3.1); the sandbox is read without pace. */
  requestsPerMinute: number;
  /** Of every 429. */
  retryAfterSeconds: number;
  /** Sunday 00:00 to 01:00, Santiago; off, so that no demonstration fails at night. */
  nightlyMaintenance: boolean;
  /** How an ended session is told; `rotate`: one after the other. */
  sessionEnd: 'rotate' | 'json' | 'redirect' | 'page';
}

export interface BankoneSandboxOptions {
  seed?: string;
  now?: () => number;
  knobs?: Partial<Knobs>;
}

export interface State {
  seed: string;
  now: () => number;
  today(): string;
  currentPeriod(): string;
  knobs: Knobs;
  sessions: Sessions;
  books: Books;
  accounts: ReadonlyMap<string, SandboxCredential<Behaviour>>;
  /** Login posts and data calls by RUT. */
  logins: Map<string, number>;
  dataCalls: Map<string, number>;
  /** Wrong passwords in a row. */
  failures: Map<string, number>;
  /** Challenges under way: who waits, and how often was asked. */
  challenges: Map<string, { login: string; asked: number }>;
  /** Logins for which the movement between two pages has arrived. */
  arrived: Set<string>;
  sessionEnds: number;
}

export const createState = ({ seed = 'bankone', now = Date.now, knobs = {} }: BankoneSandboxOptions): State => {
  const accounts = new Map(SANDBOX_CREDENTIALS.map((entry) => [entry.credentials.rut!, entry]));
  const behaviours = new Map([...accounts].map(([rut, { behaviour }]) => [rut, behaviour]));
  return {
    seed,
    now,
    today: () => santiagoDay(now()),
    currentPeriod: () => santiagoPeriod(now()),
    knobs: {
      latencyMs: 0,
      requestsPerMinute: 0,
      retryAfterSeconds: 1,
      nightlyMaintenance: false,
      sessionEnd: 'rotate',
      ...knobs,
    },
    sessions: createSessions(now),
    books: createBooks(seed, now, behaviours),
    accounts,
    logins: new Map(),
    dataCalls: new Map(),
    failures: new Map(),
    challenges: new Map(),
    arrived: new Set(),
    sessionEnds: 0,
  };
};

export const countUp = (counts: Map<string, number>, key: string): number => {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
};
