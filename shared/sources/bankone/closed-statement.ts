/**
 * A closed statement: final rows, oldest first, in two columns of dotted amounts (banks.md §3.1). It replaces the rows
 * of the open statement, so its amounts must lead from the opening to the closing balance, line by line.
 */
import { Big } from 'big.js';
import type { StatementHeads } from '#shared/values/known-accounts.ts';
import { unexpected } from '../parsing/results.ts';
import { type AnswerPlace, unreadable } from '../parsing/values.ts';
import type { AnswerKeys, JsonObject, ParsedRow, RawAnswer } from '../source.ts';
import type { StatementBalances } from '../truth/statement-chain.ts';
import type { KeyWatch } from '../truth/watch-keys.ts';
import type { ListedAccount } from './accounts.ts';
import { checkEcho, parseBody, rowsIn } from './kept.ts';
import { negated, readDottedAmount, requireDottedBalance } from './money.ts';
import { pageCount } from './movements-pull.ts';
import { createStatementReader } from './statement.ts';
import { readSlashedDay } from './values.ts';

/**
 * The closed statement does not contain the account's currency: the portal writes CLP even for accounts in USD
 * (service.md, banks.md §3.1).
 */
export const REPORTED_CURRENCY = 'CLP';

/** `docto` may be empty, because a movement may have no document. `detalle` is never empty. */
export const CLOSED_KEYS: AnswerKeys = {
  rows: ['lineas'],
  required: ['fecha', 'docto', 'cargo', 'abono', 'saldo'],
  reported: ['detalle'],
  nullable: [],
};

/**
 * Returns the rows and balances of a closed statement, or null for a "no data" answer. Throws when the arithmetic is
 * wrong, so such a statement yields no rows at all.
 */
export const readClosedStatement = (
  period: string,
  account: ListedAccount,
  pages: readonly RawAnswer[],
  watch: KeyWatch,
): { rows: ParsedRow[]; heads: StatementHeads & StatementBalances } | null => {
  const name = `closed/${account.place}`;
  if (pages.length === 0 || pages.length !== pageCount(pages[0]!)) throw unexpected(name, 'pages are missing');
  const reader = createStatementReader(
    {
      ...{ period, account: account.number, currency: REPORTED_CURRENCY, isClosed: true, keys: CLOSED_KEYS },
      ...{ text: 'detalle', document: 'docto', balance: 'saldo', lineBefore: 'line' },
      readDay: (raw, place) => readSlashedDay(raw, 'fecha', place),
      readAmount,
      readBalance: requireDottedBalance,
    },
    watch,
  );
  for (const [i, answer] of pages.entries()) {
    const { key } = answer;
    if (answer.request.page !== i + 1) throw unexpected(key, 'is not the next page');
    const body = parseBody(answer);
    if (body === null && pages.length === 1) return null;
    if (body === null) throw unexpected(key, 'a page says that there is no data');
    checkEcho(body, 'numeroCuenta', account.number, key);
    checkEcho(body, 'periodo', period, key);
    reader.addPage(body, key, rowsIn(body, 'lineas', key));
  }
  const { heads, rows, isWhole } = reader.result();
  if (!heads || !isWhole) throw unexpected(name, 'opening balance and lines do not give saldoFinal');
  return { rows, heads: { ...heads, isOpen: false, rows: rows.length } };
};

const isZero = (amount: string | null): boolean => amount !== null && new Big(amount).eq(0);

/**
 * Reads the amount of a line. The filled column (charge or credit) decides the direction; a zero counts as not filled.
 */
const readAmount = (raw: JsonObject, place: AnswerPlace): { amount: string; tipo: 'C' | 'A' } => {
  const charge = readDottedAmount(raw, 'cargo', place);
  const credit = readDottedAmount(raw, 'abono', place);
  if (charge !== null && (credit === null || (isZero(credit) && !isZero(charge))))
    return { amount: negated(charge), tipo: 'C' };
  if (credit !== null && (charge === null || (isZero(charge) && !isZero(credit)))) return { amount: credit, tipo: 'A' };
  throw unreadable(place, 'cargo', 'and abono are not one of the two');
};
