/** Sessions of the sandbox: capped per RUT, ended by logout or after two hours (tax.md §2.2, §2.4). */
import type { Memory } from '../../sandbox-kit/memory.ts';
import { createSessionTable, type OpenSession, type SessionTable } from '../../sandbox-kit/sessions.ts';
import { newToken } from './session-token.ts';

export interface Session extends OpenSession {
  openedMs: number;
  /** True after the call that starts the app (tax.md §2.5, step 4). */
  isAppStarted: boolean;
  /** True after the landing page was opened. */
  hasLanded: boolean;
  /** Number of the start calls that came in their order (`START_CALLS`). */
  startCalls: number;
}

/** Calls of the portal's page before the first data call of the register, in order (tax.md §2.5). */
const START_CALLS = ['obtieneConf', 'load', 'consultarParametros', 'getDatosInicio'];

export const countStartCall = (session: Session, name: string): void => {
  if (START_CALLS[session.startCalls] === name) session.startCalls++;
};

export const hasStartCalls = ({ startCalls }: Session): boolean => startCalls === START_CALLS.length;

const LIFE_MS = 2 * 3_600_000;

export interface Sessions extends Omit<SessionTable<Session>, 'add'> {
  /**
   * Opens a session; returns undefined when the RUT has reached its session cap. `extra` is the number of old session
   * cookies that were sent with the login and also count.
   */
  open(login: string, cap: number, extra: number): Session | undefined;
}

export const createSessions = (now: () => number, memory: Memory): Sessions => {
  const table = createSessionTable<Session>(memory.map('sessions'), ({ openedMs }) => now() - openedMs < LIFE_MS);
  return {
    ...table,
    open: (login, cap, extra) => {
      if (table.count(login) + extra >= cap) return undefined;
      const token = newToken(login, memory.next(`sessions of ${login}`));
      return table.add({ token, login, openedMs: now(), isAppStarted: false, hasLanded: false, startCalls: 0 });
    },
  };
};
