/** Tokens of the sandbox. A token ends by time or by revocation; a client cannot end a token. */
import { v4 } from 'uuid';
import type { Memory } from '../../sandbox-kit/memory.ts';
import { createSessionTable, type OpenSession, type SessionTable } from '../../sandbox-kit/sessions.ts';

/** `login` is the client id. */
export interface IssuedToken extends OpenSession {
  expiresMs: number;
}

export interface AccessTokens extends Omit<SessionTable<IssuedToken>, 'add'> {
  issue(login: string, seconds: number): IssuedToken;
}

export const createTokens = (now: () => number, memory: Memory): AccessTokens => {
  const table = createSessionTable<IssuedToken>(memory.map('tokens'), ({ expiresMs }) => now() < expiresMs);
  return {
    ...table,
    issue: (login, seconds) => table.add({ token: `eyJ-sandbox-${v4()}`, login, expiresMs: now() + seconds * 1000 }),
  };
};
