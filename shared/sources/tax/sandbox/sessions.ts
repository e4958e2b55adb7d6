/** Sessions of the sandbox: capped per RUT, ended by logout or after two hours (tax.md §2.2, §2.4). */
import type { Memory } from '../../sandbox-kit/memory.ts';
import { createSessionTable, type OpenSession, type SessionTable } from '../../sandbox-kit/sessions.ts';
import { newToken } from './session-token.ts';

export interface Session extends OpenSession {
  openedMs: number;
  /** The app's own start was made (tax.md §2.5, step 4). */
  isAppStarted: boolean;
}

const LIFE_MS = 2 * 3_600_000;

export interface Sessions extends Omit<SessionTable<Session>, 'add'> {
  /** Undefined when the RUT has no place left. `extra`: places taken by stale cookies sent with the login. */
  open(login: string, cap: number, extra: number): Session | undefined;
}

export const createSessions = (now: () => number, memory: Memory): Sessions => {
  const table = createSessionTable<Session>(memory.map('sessions'), ({ openedMs }) => now() - openedMs < LIFE_MS);
  return {
    ...table,
    open: (login, cap, extra) => {
      if (table.count(login) + extra >= cap) return undefined;
      const token = newToken(login, memory.next(`sessions of ${login}`));
      return table.add({ token, login, openedMs: now(), isAppStarted: false });
    },
  };
};
