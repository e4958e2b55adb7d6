/** Accounts, balances and transactions (banks.md §3.2), with the faults that clients select. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { JSON_TYPE, pause, SLOW_MS, sendBody } from '../../sandbox-kit/answers.ts';
import type { SandboxAccount } from './accounts.ts';
import { balancesAnswer, transactionsAnswer } from './api-answers.ts';
import { type AcceptedCall, acceptCall } from './api-checks.ts';
import type { SandboxClient } from './credentials.ts';
import { refuse } from './refusals.ts';
import type { State } from './state.ts';
import { readTransactionsQuery } from './transactions-query.ts';
import { writeBody } from './wire-format.ts';

const ACCOUNTS = '/v1/current-accounts';

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

const findAccount = (state: State, client: SandboxClient, accountId: string): SandboxAccount | undefined =>
  client.behaviour === 'account_gone'
    ? undefined
    : state.book.accounts(client).find((account) => account.accountId === accountId);

const notFound = (reply: FastifyReply) => refuse(reply, 404, 'ACCOUNT_NOT_FOUND', 'Cuenta no encontrada');

const sendData = async (
  app: FastifyInstance,
  reply: FastifyReply,
  { client, fault }: AcceptedCall,
  content: object,
): Promise<FastifyReply> => {
  if (fault === 'slow') await pause(app, SLOW_MS);
  return sendBody(reply, JSON_TYPE, writeBody(content, client.behaviour), fault);
};
