/** Kept answers of a period → rows ready to be written. */
import { newRow } from '#shared/data/row-items.ts';
import { collectRows, type WaitingRows } from '#shared/data/waiting-rows.ts';
import type { OutcomeNotice } from '#shared/domain/sync-run.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { JsonObject, SourceAdapter } from '#shared/sources/source.ts';
import type { Collected } from './answers.ts';
import { parseAnswers } from './read-answers.ts';

export interface ReadPeriod {
  rows: WaitingRows;
  notices: OutcomeNotice[];
  /** Accounts whose closed statement was read. */
  closed: string[];
  /** Names the lines that could not be read, where the rest of them is read all the same. */
  unreadable: string | null;
}

/** A document shown twice counts once, the last reading wins. */
export const readAnswers = async (
  source: SourceAdapter,
  scope: ScopeDefinition,
  connectionId: string,
  period: string | null,
  credentials: JsonObject,
  collected: readonly Collected[],
  signal: AbortSignal,
): Promise<ReadPeriod> => {
  const rows = collectRows();
  const { notices, closed, unreadable } = await parseAnswers(
    source,
    scope,
    { period, credentials },
    collected,
    signal,
    ({ row, raw, answerId }) => {
      rows.add(newRow(connectionId, scope, row, raw, answerId));
    },
  );
  return { rows: rows.done(), notices, closed, unreadable };
};
