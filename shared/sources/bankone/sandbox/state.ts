/** State of one running sandbox. */
import { santiagoDay, santiagoPeriod } from '#shared/values/dates.ts';
import type { SandboxCredential } from '../../sandbox-kit/credential.ts';
import { createMemory, type Memory } from '../../sandbox-kit/memory.ts';
import type { SandboxOptions } from '../../sandbox-kit/server.ts';
import type { Behaviour } from './behaviour.ts';
import { type Books, createBooks } from './books.ts';
import { PORTFOLIO, SANDBOX_CREDENTIALS } from './credentials.ts';
import { createSessions, type Sessions } from './sessions.ts';

export interface Knobs {
  latencyMs: number;
  /**
   * Limit of requests per minute; 0 for no limit. The portal allows 30 (banks.md §3.1). The default is 0, because
   * clients read the sandbox without pace.
   */
  requestsPerMinute: number;
  /** `Retry-After` of every HTTP 429. */
  retryAfterSeconds: number;
  /**
   * Maintenance on Sunday from 00:00 to 01:00 in Santiago. It is off by default, so that no demonstration fails at
   * night.
   */
  nightlyMaintenance: boolean;
  /** Form in which the end of a session is reported; `rotate` uses the three forms in turn. */
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
  /** Number of login posts and data calls by RUT. */
  logins: Map<string, number>;
  dataCalls: Map<string, number>;
  /** Number of consecutive wrong passwords. */
  failures: Map<string, number>;
  /** Open challenges: the login that waits, and the number of its polls. */
  challenges: Map<string, { login: string; asked: number }>;
  memory: Memory;
}

export const createState = ({
  seed = 'bankone',
  now = Date.now,
  knobs = {},
  memory = createMemory(),
}: SandboxOptions<Knobs>): State => {
  const accounts = new Map([...SANDBOX_CREDENTIALS, ...PORTFOLIO].map((entry) => [entry.credentials.rut!, entry]));
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
