/** Sessions of the portal: one per user, at most 300 s idle and 5,400 s in total (banks.md §3.1). */
import type { Memory } from '../../sandbox-kit/memory.ts';
import { createSessionTable, type OpenSession, type SessionTable } from '../../sandbox-kit/sessions.ts';

export interface Session extends OpenSession {
  openedMs: number;
  usedMs: number;
  /** RUT of the selected company. */
  company: string;
  xsrf: string;
  isBusy: boolean;
  /** Number of calls that began; only the latest call may clear `isBusy`. */
  turns: number;
  /** Times of the session's calls in the last minute. */
  calls: number[];
}

/** Returns the login that a session's token contains. */
export const loginOfToken = (token: string): string => /^bankone-session-(.+)-\d+$/.exec(token)?.[1] ?? '';

const IDLE_MS = 300_000;
const LIFE_MS = 5_400_000;

export interface Sessions extends Omit<SessionTable<Session>, 'add'> {
  /** Opens a session and ends an older session of the same user. */
  open(login: string, company: string): Session;
  renewXsrf(session: Session): void;
}

export const createSessions = (now: () => number, memory: Memory): Sessions => {
  const table = createSessionTable<Session>(
    memory.map('sessions'),
    ({ openedMs, usedMs }) => now() - openedMs < LIFE_MS && now() - usedMs < IDLE_MS,
  );
  /**
   * Returns a new token. The cookie encodes some of its characters, so that a client that sends the cookie's text
   * without decoding it is refused.
   */
  const newXsrf = (): string => `x${memory.next('xsrf')}+/=`;

  return {
    ...table,
    open: (login, company) => {
      table.expireAll(login);
      // The token contains the login and a counter. The counter is not random, so that two runs of a test see the same
      // wire.
      const token = `bankone-session-${login}-${String(memory.next('sessions')).padStart(6, '0')}`;
      const [openedMs, usedMs] = [now(), now()];
      return table.add({
        ...{ token, login, openedMs, usedMs, company },
        ...{ xsrf: newXsrf(), isBusy: false, turns: 0, calls: [] },
      });
    },
    renewXsrf: (session) => {
      session.xsrf = newXsrf();
    },
  };
};
