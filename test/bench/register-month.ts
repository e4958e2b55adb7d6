/** A month of the register as a sync would have kept it, from the simulated institution: by file, as large ones come. */
import { randomUUID } from 'node:crypto';
import { addMonths, santiagoPeriod } from '#shared/domain/dates.ts';
import type { Collected } from '#shared/engine/answers.ts';
import { type ReadPeriod, readAnswers } from '#shared/engine/read-period.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import type { PullRequest, SourceAdapter } from '#shared/sources/source.ts';
import { source } from '#shared/sources/tax/source.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { startStory } from '#test/helpers/source-story.ts';
import { collectAnswers } from './collect-answers.ts';

export interface RegisterMonth {
  period: string;
  request: PullRequest;
  collected: Collected[];
}

export const registerMonth = async (documents: number): Promise<RegisterMonth> => {
  const [folder] = await loadSources(['tax']);
  const story = await startStory(folder!, folder!.credentials.find(({ behaviour }) => behaviour === 'works')!);
  try {
    const period = addMonths(santiagoPeriod(nowMs()), -1);
    const status = await story.knobs({ rut: story.login, period, documents });
    if (status >= 300) throw new Error(`the sandbox refuses the size: ${status}`);
    const [unit] = await collectAnswers(story, taxRcv);
    const collected = unit!.answers.map((answer) => ({ answer, id: randomUUID(), at: nowIso() }));
    return { period, request: unit!.request, collected };
  } finally {
    await story.close();
  }
};

/** The adapter, but every so many documents has another total than before. */
const changing = (everyRows: number): SourceAdapter => ({
  ...source,
  *parse(request, answers) {
    let n = 0;
    for (const parsed of source.parse(request, answers)) {
      if ('row' in parsed && ++n % everyRows === 0) {
        const total = `${parsed.row.row.total_amount}0`;
        yield { row: { ...parsed.row, row: { ...parsed.row.row, total_amount: total } } };
      } else yield parsed;
    }
  },
});

const never = new AbortController().signal;

/** Parsed, checked and ready to be stored; with every `changeEveryRows`th document changed, if that is given. */
export const readMonth = (month: RegisterMonth, connectionId: string, changeEveryRows?: number): Promise<ReadPeriod> =>
  readAnswers(
    changeEveryRows === undefined ? source : changing(changeEveryRows),
    taxRcv,
    connectionId,
    month.period,
    month.request.credentials,
    month.collected,
    never,
  );
