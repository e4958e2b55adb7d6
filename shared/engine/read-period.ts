/** Kept answers of a period → rows ready to be written. */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { type NewRow, newRow } from '#shared/data/row-items.ts';
import { addNotices } from '#shared/domain/scope-work.ts';
import type { OutcomeNotice } from '#shared/domain/sync-run.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { type JsonObject, type SourceAdapter, SourceError } from '#shared/sources/source.ts';
import type { Collected } from './answers.ts';

export interface ReadPeriod {
  rows: NewRow[];
  notices: OutcomeNotice[];
  /** Accounts whose closed statement was read. */
  closed: string[];
}

/**
 * Parses everything before anything is written: an answer that cannot be read writes nothing of its period. A document
 * shown twice counts once, the last reading wins. Yields now and then, so that the lease can be renewed meanwhile.
 */
export const readAnswers = async (
  source: SourceAdapter,
  scope: ScopeDefinition,
  connectionId: string,
  period: string | null,
  credentials: JsonObject,
  collected: readonly Collected[],
  signal: AbortSignal,
): Promise<ReadPeriod> => {
  const ids = new Map(collected.map(({ answer, id }) => [answer.key, id]));
  const rows = new Map<string, NewRow>();
  let notices: OutcomeNotice[] = [];
  const closed = new Set<string>();
  let yieldedAt = performance.now();
  const answers = collected.map(({ answer }) => answer);
  for (const parsed of source.parse({ scope: scope.name, period, credentials }, answers)) {
    if (performance.now() - yieldedAt > LIMITS.yieldEveryMs) {
      await yieldToEvents();
      signal.throwIfAborted();
      yieldedAt = performance.now();
    }
    if ('notice' in parsed) {
      notices = addNotices(notices, [parsed.notice], LIMITS.noticesPerScopeMax);
      continue;
    }
    if ('closed' in parsed) {
      closed.add(parsed.closed);
      continue;
    }
    const { row, raw, answerKey } = parsed.row;
    const checked = scope.parsed.safeParse(row);
    if (!checked.success) {
      const field = checked.error.issues[0]?.path.join('.') ?? 'row';
      throw new SourceError(
        'source.unexpected_response',
        `${scope.name} ${period ?? ''}: ${field} of a row cannot be read`,
      );
    }
    const id = ids.get(answerKey);
    if (id === undefined) throw new Error(`parser of ${scope.name} names an answer it was not given: ${answerKey}`);
    const made = newRow(connectionId, scope, checked.data, raw, id);
    rows.set(made.id, made);
  }
  return { rows: [...rows.values()], notices, closed: [...closed] };
};
