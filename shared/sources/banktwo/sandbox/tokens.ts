/** Tokens of the sandbox: ended by time or by being revoked; nobody can give one back. */
import { v4 } from 'uuid';
import { keepNewest, type Memory } from '../../sandbox-kit/memory.ts';

export interface IssuedToken {
  token: string;
  clientId: string;
  expiresMs: number;
}

export interface Tokens {
  issue(clientId: string, seconds: number): IssuedToken;
  find(token: string | undefined): IssuedToken | undefined;
  revoke(token: string): void;
  revokeAll(clientId?: string): void;
  count(clientId: string): number;
}

const KEPT_MAX = 500;

export const createTokens = (now: () => number, memory: Memory): Tokens => {
  const tokens = memory.map<IssuedToken>('tokens');
  const isAlive = ({ expiresMs }: IssuedToken): boolean => now() < expiresMs;
  return {
    issue: (clientId, seconds) => {
      const issued = { token: `eyJ-sandbox-${v4()}`, clientId, expiresMs: now() + seconds * 1000 };
      for (const old of tokens.values()) if (!isAlive(old)) tokens.delete(old.token);
      keepNewest(tokens, issued.token, issued, KEPT_MAX);
      return issued;
    },
    find: (token) => {
      const issued = token === undefined ? undefined : tokens.get(token);
      return issued && isAlive(issued) ? issued : undefined;
    },
    revoke: (token) => {
      tokens.delete(token);
    },
    revokeAll: (clientId) => {
      for (const issued of tokens.values())
        if (clientId === undefined || issued.clientId === clientId) tokens.delete(issued.token);
    },
    count: (clientId) => [...tokens.values()].filter((each) => each.clientId === clientId && isAlive(each)).length,
  };
};
