/** Kept answers of a period → rows ready to be written. */
import { newRow } from '#shared/data/row-items.ts';
import { collectRows, type WaitingRows } from '#shared/data/waiting-rows.ts';
import type { KnownAccounts, SeenAccount } from '#shared/domain/known-accounts.ts';
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
  /** Accounts that the bank lists. */
  accounts: SeenAccount[];
  /** Names the lines that could not be read, where the rest of them is read all the same. */
  unreadable: string | null;
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
  const { notices, closed, accounts, unreadable } = await parseAnswers(
    source,
    scope,
    request,
    collected,
    signal,
    ({ row, raw, answerId }) => {
      rows.add(newRow(connectionId, scope, row, raw, answerId));
    },
  );
  return { rows: rows.done(), notices, closed, accounts, unreadable };
};
