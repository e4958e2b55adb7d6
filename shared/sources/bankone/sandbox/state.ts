/** Everything one running sandbox knows. */
import { santiagoDay, santiagoPeriod } from '#shared/values/dates.ts';
import type { SandboxCredential } from '../../sandbox-kit/credential.ts';
import { createMemory, type Memory } from '../../sandbox-kit/memory.ts';
import type { SandboxOptions } from '../../sandbox-kit/server.ts';
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
  memory: Memory;
}

export const createState = ({
  seed = 'bankone',
  now = Date.now,
  knobs = {},
  memory = createMemory(),
}: SandboxOptions<Knobs>): State => {
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
    sessions: createSessions(now, memory),
    books: createBooks(seed, now, behaviours, memory),
    accounts,
    logins: memory.map('logins'),
    dataCalls: memory.map('dataCalls'),
    failures: memory.map('failures'),
    challenges: memory.map('challenges'),
    memory,
  };
};
