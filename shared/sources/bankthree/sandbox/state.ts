/** Everything one running sandbox knows. */
import { createMemory } from '../../sandbox-kit/memory.ts';
import type { SandboxOptions } from '../../sandbox-kit/server.ts';
import { type BankthreeBook, createBook } from './book.ts';
import { type BankthreeCredential, SANDBOX_CREDENTIALS } from './credentials.ts';
import { createSessions, type Sessions } from './sessions.ts';

export interface Knobs {
  latencyMs: number;
  /** Files closer together are refused (banks.md §3.3: 2 s); 0 = never, as clients keep no pace against a sandbox. */
  downloadIntervalMs: number;
  /** A month without movements is answered by a page in place of a file. */
  emptyAsPage: boolean;
  /** So many months go by before an ended month is closed. */
  closeDelayMonths: number;
  /** Maintenance daily 23:30 to 00:30. Off: no test may depend on the time of day. */
  nightlyMaintenance: boolean;
  /** How the end of a session is told. */
  expiredAnswer: 'form' | 'redirect';
  /** So many wrong claves in a row lock the user; 0 = never. */
  lockAfter: number;
}

export interface State {
  seed: string;
  now: () => number;
  knobs: Knobs;
  sessions: Sessions;
  book: BankthreeBook;
  /** By RUT that logs in. */
  entries: ReadonlyMap<string, BankthreeCredential>;
  /** Login posts, wrong claves in a row, and calls after the login, by RUT. */
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
    entries: new Map(SANDBOX_CREDENTIALS.map((entry) => [entry.credentials.rut!, entry])),
    logins: memory.map('logins'),
    wrong: memory.map('wrong'),
    calls: memory.map('calls'),
  };
};
