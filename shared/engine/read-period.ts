/** Kept answers of a period → rows ready to be written. */
import { type NewRow, newRow } from '#shared/data/row-items.ts';
import type { OutcomeNotice } from '#shared/domain/sync-run.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { JsonObject, SourceAdapter } from '#shared/sources/source.ts';
import type { Collected } from './answers.ts';
import { parseAnswers } from './read-answers.ts';

export interface ReadPeriod {
  rows: NewRow[];
  notices: OutcomeNotice[];
  /** Accounts whose closed statement was read. */
  closed: string[];
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
  const rows = new Map<string, NewRow>();
  const { notices, closed } = await parseAnswers(
    source,
    scope,
    { period, credentials },
    collected,
    signal,
    ({ row, raw, answerId }) => {
      const made = newRow(connectionId, scope, row, raw, answerId);
      rows.set(made.id, made);
    },
  );
  return { rows: [...rows.values()], notices, closed };
};
