/** Turns the stored answers of a period into rows that are ready to be written. */

import type { Connection } from '#shared/connections/connection.rules.ts';
import { newRow } from '#shared/rows/item/row-items.ts';
import { collectRows, type WaitingRows } from '#shared/rows/write/pending-rows.ts';
import type { JsonObject } from '#shared/sources/source.ts';
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import type { CollectedAnswer } from './answer-packs.ts';
import { type Parser, parseAnswers, type ReadAnswers } from './parse-answers.ts';

export interface ReadPeriod extends Omit<ReadAnswers, 'isAbsent' | 'unlessKnown'> {
  rows: WaitingRows;
  /** Time of the first answer, in ISO 8601. Undefined if nothing was requested. */
  readAt: string | undefined;
}

/** Returns the rows of the stored answers. A document that is shown twice counts once; its last occurrence wins. */
export const readAnswers = async (
  parser: Parser & { connection: Pick<Connection, 'id'> },
  request: { period: string | null; credentials: JsonObject; known?: KnownAccounts },
  collected: readonly CollectedAnswer[],
): Promise<ReadPeriod> => {
  const rows = collectRows();
  const {
    isAbsent: _,
    unlessKnown: __,
    ...read
  } = await parseAnswers(parser, request, collected, (read) => {
    rows.add(newRow(parser.connection.id, parser.scope, read));
  });
  return { ...read, rows: rows.done(), readAt: collected.map(({ at }) => at).sort()[0] };
};
