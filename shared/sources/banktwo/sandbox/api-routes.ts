/** Accounts, balances and transactions (banks.md §3.2), and the faults that clients choose for them. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Account } from './accounts.ts';
import { balancesAnswer, transactionsAnswer } from './api-answers.ts';
import { type Accepted, acceptCall } from './api-checks.ts';
import type { SandboxClient } from './credentials.ts';
import { refuse } from './refusals.ts';
import type { State } from './state.ts';
import { readTransactionsQuery } from './transactions-query.ts';
import { bodyOf, JSON_TYPE } from './wire-format.ts';

const ACCOUNTS = '/v1/current-accounts';
const SLOW_MS = 70_000;

export const registerApiRoutes = (app: FastifyInstance, state: State): void => {
  app.get(ACCOUNTS, async (request, reply) => {
    const accepted = acceptCall(request, reply, state, true);
    if (!accepted) return reply;
    const accounts = state.book.accounts(accepted.client).map(({ accountId, number, currency, status }) => {
      return { accountId, number, currency, status };
    });
    return sendData(app, reply, accepted, { accounts });
  });

  app.get(`${ACCOUNTS}/:accountId/balances`, async (request, reply) => {
    const accepted = acceptCall(request, reply, state, false);
    if (!accepted) return reply;
    const { accountId } = request.params as { accountId: string };
    const account = findAccount(state, accepted.client, accountId);
    if (!account) return notFound(reply);
    return sendData(app, reply, accepted, balancesAnswer(state, accepted.client, account));
  });

  app.post(`${ACCOUNTS}/transactions`, async (request, reply) => {
    const accepted = acceptCall(request, reply, state, false);
    if (!accepted) return reply;
    const { client } = accepted;
    const query = readTransactionsQuery(request, state, client);
    if ('code' in query) return refuse(reply, query.status, query.code, query.message);
    const account = findAccount(state, client, query.accountId);
    if (!account) return notFound(reply);
    if (account.currency !== query.currency) return refuse(reply, 400, 'VALIDATION', 'currency');
    return sendData(app, reply, accepted, transactionsAnswer(state, client, account, query));
  });
};

const findAccount = (state: State, client: SandboxClient, accountId: string): Account | undefined =>
  client.behaviour === 'account_gone'
    ? undefined
    : state.book.accounts(client).find((account) => account.accountId === accountId);

const notFound = (reply: FastifyReply) => refuse(reply, 404, 'ACCOUNT_NOT_FOUND', 'Cuenta no encontrada');

const sendData = async (
  app: FastifyInstance,
  reply: FastifyReply,
  { client, fault }: Accepted,
  content: object,
): Promise<FastifyReply> => {
  if (fault === 'slow') await pause(app, SLOW_MS);
  const body = bodyOf(content, client.behaviour);
  if (fault === 'cut') return cutOff(reply, body);
  return reply.type(JSON_TYPE).send(fault === 'truncate' ? body.slice(0, Math.floor(body.length / 2)) : body);
};

/** Announces the whole body, sends half of it and hangs up. */
const cutOff = (reply: FastifyReply, body: string): FastifyReply => {
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) });
  reply.raw.write(body.slice(0, Math.floor(body.length / 2)), () => reply.raw.destroy());
  return reply;
};

/** Ends early when the server closes, so that nobody waits for a slow answer that nobody reads. */
export const pause = (app: FastifyInstance, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      app.server.off('close', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    timer.unref();
    app.server.once('close', end);
  });
