/** State of one running sandbox. */
import { createMemory } from '../../sandbox-kit/memory.ts';
import type { SandboxOptions } from '../../sandbox-kit/server.ts';
import { type BankthreeBook, createBook } from './book.ts';
import { type BankthreeCredential, PORTFOLIO, SANDBOX_CREDENTIALS } from './credentials.ts';
import { createSessions, type Sessions } from './sessions.ts';

export interface Knobs {
  latencyMs: number;
  /**
   * Shortest interval between two file requests (banks.md §3.3: 2 s); a request that comes too soon is refused.
   * 0 allows any interval, because clients do not slow down for a sandbox.
   */
  downloadIntervalMs: number;
  /** If true, a month without movements is answered with a page instead of a file. */
  emptyAsPage: boolean;
  /** Number of months between the end of a month and its close. */
  closeDelayMonths: number;
  /** Maintenance daily from 23:30 to 00:30. Off by default, because no test may depend on the time of day. */
  nightlyMaintenance: boolean;
  /** Form in which the end of a session is reported. */
  expiredAnswer: 'form' | 'redirect';
  /** Number of consecutive wrong claves that lock the user; 0 for never. */
  lockAfter: number;
}

export interface State {
  seed: string;
  now: () => number;
  knobs: Knobs;
  sessions: Sessions;
  book: BankthreeBook;
  /** Keyed by the RUT that logs in. */
  entries: ReadonlyMap<string, BankthreeCredential>;
  /** By RUT: number of login posts, of consecutive wrong claves, and of calls after the login. */
  logins: Map<string, number>;
  wrong: Map<string, number>;
  calls: Map<string, number>;
}

export const createState = ({
  seed = 'bankthree',
  now = Date.now,
  knobs = {},
  memory = createMemory(),
}: SandboxOptions<Knobs>): State => {
  const settings: Knobs = {
    latencyMs: 0,
    downloadIntervalMs: 0,
    emptyAsPage: false,
    closeDelayMonths: 0,
    nightlyMaintenance: false,
    expiredAnswer: 'form',
    lockAfter: 0,
    ...knobs,
  };
  return {
    seed,
    now,
    knobs: settings,
    sessions: createSessions(now, memory),
    book: createBook(seed, now, () => settings.closeDelayMonths),
    entries: new Map([...SANDBOX_CREDENTIALS, ...PORTFOLIO].map((entry) => [entry.credentials.rut!, entry])),
    logins: memory.map('logins'),
    wrong: memory.map('wrong'),
    calls: memory.map('calls'),
  };
};
