/** The open statement of the current month: provisional rows, newest first, amounts without sign (banks.md §3.1). */
import type { StatementHeads } from '#shared/values/known-accounts.ts';
import { unexpected } from '../parsing/results.ts';
import { type AnswerPlace, unreadable } from '../parsing/values.ts';
import type { AnswerKeys, JsonObject, ParsedRow, RawAnswer } from '../source.ts';
import type { StatementBalances } from '../truth/statement-chain.ts';
import type { KeyWatch } from '../truth/watch-keys.ts';
import type { ListedAccount } from './accounts.ts';
import { parseBody, rowsIn } from './kept.ts';
import { negated, readAmount, requireBalance } from './money.ts';
import { createStatementReader } from './statement.ts';
import { readKey, readStamp } from './values.ts';

/** `numeroDocumento` may be empty, because a movement may have no document. `descripcion` is never empty. */
export const OPEN_KEYS: AnswerKeys = {
  rows: ['movimientos'],
  required: ['id', 'fecha', 'numeroDocumento', 'monto', 'tipo', 'saldoMovimiento'],
  reported: ['descripcion'],
  nullable: [],
};

/**
 * Reads the rows from the oldest to the newest, because ordinals count from the oldest row and so stay the same while
 * the month grows. A list whose balances do not lead from `saldoInicial` to `saldoFinal` yields no rows. If the result
 * has no `heads`, the answer means "no data".
 */
export const readOpenStatement = (
  period: string,
  account: ListedAccount,
  pages: readonly RawAnswer[],
  watch: KeyWatch,
): { rows: ParsedRow[]; heads: (StatementHeads & StatementBalances) | undefined } => {
  const { currency } = account;
  const reader = createStatementReader(
    {
      ...{ period, account: account.number, currency, isClosed: false, keys: OPEN_KEYS },
      ...{ text: 'descripcion', document: 'numeroDocumento', balance: 'saldoMovimiento', lineBefore: 'movement' },
      readDay: (raw, place) => readStamp(raw, 'fecha', place).day,
      readAmount: (raw, place) => {
        const tipo = tipoOf(raw, place);
        const amount = readAmount(raw, 'monto', currency, place);
        return { tipo, amount: tipo === 'C' ? negated(amount) : amount };
      },
      readBalance: (from, field, place) => requireBalance(from, field, currency, place),
    },
    watch,
  );
  for (const answer of pages.toReversed()) {
    const body = parseBody(answer);
    if (body !== null) reader.addPage(body, answer.key, [...rowsIn(body, 'movimientos', answer.key)].toReversed());
  }
  const { heads, rows, isWhole } = reader.result();
  if (heads && !isWhole) throw unexpected(`open/${account.place}`, 'saldoInicial and movements do not give saldoFinal');
  return { rows, heads: heads && { ...heads, isOpen: true, rows: rows.length } };
};

const tipoOf = (raw: JsonObject, place: AnswerPlace): 'C' | 'A' => {
  const word = readKey(raw, 'tipo', place).toLowerCase();
  if (word === 'cargo') return 'C';
  if (word === 'abono') return 'A';
  throw unreadable(place, 'tipo', 'is neither cargo nor abono');
};
