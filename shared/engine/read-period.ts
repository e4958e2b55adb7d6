/** Kept answers of a period → rows ready to be written. */
import { newRow } from '#shared/data/row-items.ts';
import { collectRows, type WaitingRows } from '#shared/data/waiting-rows.ts';
import type { KnownAccounts } from '#shared/domain/known-accounts.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { JsonObject, SourceAdapter } from '#shared/sources/source.ts';
import type { Collected } from './answers.ts';
import { parseAnswers, type ReadAnswers } from './read-answers.ts';

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
  } = await parseAnswers(source, scope, request, collected, signal, ({ row, raw, answerId }) => {
    rows.add(newRow(connectionId, scope, row, raw, answerId));
  });
  return { ...read, rows: rows.done() };
};
