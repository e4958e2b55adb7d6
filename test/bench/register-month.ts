/** A month of a scope as a sync would have stored it, from the simulated authority: by file, as for large months. */
import { randomUUID } from 'node:crypto';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import type { PullRequest, SourceAdapter } from '#shared/sources/source.ts';
import { source } from '#shared/sources/tax/source.ts';
import type { CollectedAnswer } from '#shared/sync/reading/answer-packs.ts';
import { type ReadPeriod, readAnswers } from '#shared/sync/reading/parse-period.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { startStory } from '#test/helpers/source-story.ts';
import { collectAnswers } from './collect-answers.ts';

export interface RegisterMonth {
  scope: ScopeDefinition;
  period: string;
  request: PullRequest;
  collected: CollectedAnswer[];
}

export const registerMonth = async (documents: number, scope: ScopeDefinition = taxRcv): Promise<RegisterMonth> => {
  const [folder] = await loadSources(['tax']);
  // The knob sets the size of its register; only the large company has 5,000 guides a month.
  const wanted = scope === taxRcv ? 'works' : 'large';
  const story = await startStory(folder!, folder!.credentials.find(({ behaviour }) => behaviour === wanted)!);
  try {
    const period = addMonths(santiagoPeriod(nowMs()), -1);
    const status = await story.knobs({ rut: story.login, period, documents });
    if (status >= 300) throw new Error(`the sandbox refuses the size: ${status}`);
    const [unit] = await collectAnswers(story, scope);
    const collected = unit!.answers.map((answer) => ({ answer, id: randomUUID(), at: nowIso() }));
    return { scope, period, request: unit!.request, collected };
  } finally {
    await story.close();
  }
};

/** The adapter, but every n-th document gets another date of receipt. */
const changing = (everyRows: number): SourceAdapter => ({
  ...source,
  *parse(request, answers) {
    let n = 0;
    for (const parsed of source.parse(request, answers)) {
      if ('row' in parsed && ++n % everyRows === 0) {
        // A receipt, which documents get later. Amounts are facts, and so many changes of them would be held back.
        const acknowledged_at = '2026-11-19T12:34:56.000Z';
        yield { row: { ...parsed.row, row: { ...parsed.row.row, acknowledged_at } } };
      } else yield parsed;
    }
  },
});

const never = new AbortController().signal;

/**
 * Parsed, checked and ready to be stored; if `changeEveryRows` is n, every n-th document is changed.
 */
export const readMonth = (month: RegisterMonth, connectionId: string, changeEveryRows?: number): Promise<ReadPeriod> =>
  readAnswers(
    {
      source: changeEveryRows === undefined ? source : changing(changeEveryRows),
      scope: month.scope,
      connection: { id: connectionId },
      signal: never,
    },
    { period: month.period, credentials: month.request.credentials },
    month.collected,
  );
