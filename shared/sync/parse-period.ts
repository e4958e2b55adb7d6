/** Kept answers of a period → rows ready to be written. */

import { collectRows, type WaitingRows } from '#shared/rows/pending-rows.ts';
import { newRow } from '#shared/rows/row-items.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { JsonObject, SourceAdapter } from '#shared/sources/source.ts';
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { parseAnswers, type ReadAnswers } from './parse-answers.ts';
import type { Collected } from './raw-answer-log.ts';

export interface ReadPeriod extends Omit<ReadAnswers, 'isAbsent' | 'unlessKnown'> {
  rows: WaitingRows;
}

/** A document shown twice counts once, the last reading wins. */
export const readAnswers = async (
  source: SourceAdapter,
  scope: ScopeDefinition,
  connectionId: string,
  request: { period: string | null; credentials: JsonObject; known?: KnownAccounts },
  collected: readonly Collected[],
  signal: AbortSignal,
): Promise<ReadPeriod> => {
  const rows = collectRows();
  const {
    isAbsent: _,
    unlessKnown: __,
    ...read
  } = await parseAnswers(source, scope, request, collected, signal, (read) => {
    rows.add(newRow(connectionId, scope, read));
  });
  return { ...read, rows: rows.done() };
};
