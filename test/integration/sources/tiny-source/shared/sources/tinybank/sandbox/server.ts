/** Three movements a month; one password; its own doors. */
import fastify from 'fastify';

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

export const createTinybankSandbox = ({ now }: { now(): number }) => {
  const app = fastify({ forceCloseConnections: true });
  const sessions = new Set<string>();
  let logins = 0;
  app.post('/login', (request, reply) => {
    logins++;
    const { user, password } = request.body as { user: string; password: string };
    if (user !== 'ana' || password !== 'tiny-password') return reply.code(401).send({});
    const token = `token-of-session-${logins}`;
    sessions.add(token);
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
  app.get('/_sandbox/ledger', (_request, reply) => {
    const held = { count: AMOUNTS.length, sums: { amount: '1147.60' } };
    return reply.send({ movements: Object.fromEntries(monthsUpTo(now()).map((month) => [month, held])) });
  });
  app.get('/_sandbox/logins', (_request, reply) => reply.send({ logins, sessions: sessions.size }));
  return {
    listen: (port: number) => app.listen({ port, host: '127.0.0.1' }),
    close: () => app.close(),
  };
};
