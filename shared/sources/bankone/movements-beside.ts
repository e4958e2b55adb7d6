/** Requests the months next to a closed statement when their stored balances contradict it (decisions.md §5). */
import type { RawAnswer } from '../source.ts';
import { monthsBeside, type Neighbours, type StatementBalances } from '../truth/statement-chain.ts';
import type { ListedAccount } from './accounts.ts';
import { askFolios, askStatementPage } from './ask-statements.ts';
import type { BankClient } from './client.ts';
import { findFolio } from './folios.ts';
import { checkEcho, compact, parseBody } from './kept.ts';
import { readDottedHeads, requireBalance } from './money.ts';
import { OPEN_STATEMENT_URL } from './wire.ts';

const keyOf = (account: ListedAccount, month: string): string => `beside/${account.place}/${month}`;

/**
 * Requests the statement of a neighbouring month. The first page is enough, because every page contains the opening and
 * the closing balance.
 */
export const pullBeside = async (account: ListedAccount, beside: string, client: BankClient): Promise<void> => {
  const key = keyOf(account, beside);
  const { number } = account;
  const today = client.today();
  if (beside === today.slice(0, 7)) {
    await client.ask({
      what: key,
      url: OPEN_STATEMENT_URL,
      body: {
        ...{ numeroCuenta: number, fechaInicio: compact(`${beside}-01`), fechaFin: compact(today) },
        paginacionDesde: 1,
      },
      request: { list: key, account: number },
      names: 'company',
      // The neighbouring month may have closed during this pull. The portal then refuses the open statement with this
      // code.
      refusals: ['PERIODO_CERRADO'],
      check: (body) => checkEcho(body, 'numeroCuenta', number, key),
    });
    return;
  }
  const folio = findFolio(await askFolios(account, `${key}/folios`, beside, client), beside);
  if (folio !== undefined) await askStatementPage(account, { key, list: key, period: beside, folio, page: 1 }, client);
};

/** Returns the balances that the bank now reports for the neighbouring months. */
export const neighboursNow = (account: ListedAccount, period: string, answers: readonly RawAnswer[]): Neighbours => {
  const { before, after } = monthsBeside(period);
  const earlier = closedHeads(account, before, answers);
  const later = closedHeads(account, after, answers);
  return { closingBefore: earlier?.closing, openingAfter: later?.opening ?? openOpening(account, after, answers) };
};

const bodyBeside = (account: ListedAccount, month: string, answers: readonly RawAnswer[]) => {
  const answer = answers.find(({ key }) => key === keyOf(account, month));
  const body = answer && parseBody(answer);
  // A stored refusal contains no balance.
  if (!answer || !body || body.codigo !== undefined) return null;
  return { body, place: { answerKey: answer.key, row: 0 }, isClosed: answer.request.page === 1 };
};

const closedHeads = (
  account: ListedAccount,
  month: string,
  answers: readonly RawAnswer[],
): StatementBalances | undefined => {
  const beside = bodyBeside(account, month, answers);
  return beside?.isClosed ? readDottedHeads(beside.body, beside.place.answerKey) : undefined;
};

const openOpening = (account: ListedAccount, month: string, answers: readonly RawAnswer[]): string | undefined => {
  const beside = bodyBeside(account, month, answers);
  if (!beside || beside.isClosed) return undefined;
  return requireBalance(beside.body, 'saldoInicial', account.currency, beside.place);
};
