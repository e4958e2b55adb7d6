/** Three movements a month, one password, and its own endpoints. */
import fastify from 'fastify';
import { createMemory } from '#shared/sources/sandbox-kit/memory.ts';
import { listening, type SandboxOptions, type SandboxServer } from '#shared/sources/sandbox-kit/server.ts';

interface Line {
  number: string;
  day: string;
  text: string;
  amount: string;
}

const AMOUNTS = ['1190', '-42.50', '0.1'];

const linesOf = (month: string): Line[] =>
  AMOUNTS.map((amount, n) => ({ number: `${month}-${n}`, day: `${month}-0${n + 1}`, text: 'Señalética', amount }));

const monthsUpTo = (nowMs: number): string[] =>
  [1, 0].map((back) => {
    const date = new Date(nowMs);
    return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1)).toISOString().slice(0, 7);
  });

const LOGIN = 'ana';

export const createTinybankSandbox = (options: SandboxOptions = {}): SandboxServer => {
  const { now = Date.now, memory = createMemory(), hasDoors = true } = options;
  const app = fastify({ forceCloseConnections: true });
  const sessions = memory.map<true>('sessions');
  const logins = memory.map<number>('next');
  app.post('/login', (request, reply) => {
    const login = memory.next('logins');
    const { user, password } = request.body as { user: string; password: string };
    if (user !== LOGIN || password !== 'tiny-password') return reply.code(401).send({});
    const token = `token-of-session-${login}`;
    sessions.set(token, true);
    return reply.send({ token });
  });
  const tokenOf = (authorization: string | undefined): string => (authorization ?? '').replace('Bearer ', '');
  app.post('/logout', (request, reply) => {
    sessions.delete(tokenOf(request.headers.authorization));
    return reply.code(204).send();
  });
  app.get('/movements', (request, reply) => {
    if (!sessions.has(tokenOf(request.headers.authorization))) return reply.code(401).send({});
    const { month } = request.query as { month: string };
    return reply.send({ month, lines: linesOf(month) });
  });
  if (hasDoors) {
    app.get('/_sandbox/ledger', (_request, reply) => {
      const held = { count: AMOUNTS.length, sums: { amount: '1147.60' } };
      return reply.send({ movements: Object.fromEntries(monthsUpTo(now()).map((month) => [month, held])) });
    });
    app.get('/_sandbox/logins', (_request, reply) =>
      reply.send({ logins: logins.get('logins') ?? 0, sessions: sessions.size }),
    );
  }
  // There is one login.
  return { ...listening(app), ownerOf: () => LOGIN };
};
