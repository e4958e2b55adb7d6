/** Dispatch guides of one month, issued and received (tax.md §7): totals, then one detail per type. */
import { type Ask, type JsonObject, type Progress, reading, SourceError } from '../source.ts';
import type { DataAnswer, DataClient, Refusable } from './client.ts';
import { detailRows } from './guias-detail.ts';
import { DETAIL_METHODS, type Direction, detailData, keptRequest, summaryData } from './guias-request.ts';
import { checkGuideCompany, type GuideTotal, readGuideTotals } from './guias-summary.ts';
import { isGuideWindow, jsonOf } from './kept.ts';
import type { Month } from './rcv-request.ts';

const DIRECTIONS: readonly Direction[] = ['issued', 'received'];

export const pullGuides = async (month: Month, client: DataClient, ask: Ask, progress: Progress): Promise<void> => {
  let found = 0;
  let read = 0;
  for (const direction of DIRECTIONS) {
    const key = `${direction}/summary`;
    const summary = jsonOf(await ask(key, () => askTotals(month, direction, client)));
    // It reacts to what it is told: where the window ends is not known (§7.4).
    if (isGuideWindow(summary)) continue;
    const totals = readGuideTotals(summary, key);
    found += totals.reduce((sum, { guides }) => sum + guides, 0);
    for (const total of totals) {
      await ask(`${direction}/${total.type}/${total.refNCD}`, () => askGuides(month, direction, total, client));
      read += total.guides;
      progress(`guias ${month.period}: ${read.toLocaleString('en-US')} of ${found.toLocaleString('en-US')} guides`);
    }
  }
};

const askTotals = async (month: Month, direction: Direction, client: DataClient) => {
  const { http, verdict } = await client.call('getResumen', summaryData(month, direction));
  checkGuideCompany(verdict.answer, month.company);
  const request = keptRequest(month, direction, 'getResumen', null);
  return { request, contentType: http.contentType, body: http.body };
};

const answerOf = ({ verdict }: DataAnswer<Refusable>): JsonObject | undefined =>
  verdict.kind === 'refused' ? undefined : verdict.answer;

const countOf = (answer: DataAnswer<Refusable>, method: string): number => {
  const body = answerOf(answer);
  return body === undefined || isGuideWindow(body) ? 0 : detailRows(body, method).length;
};

const askGuides = async (month: Month, direction: Direction, total: GuideTotal, client: DataClient) => {
  const [usual, other] = DETAIL_METHODS[direction];
  const data = detailData(month, direction, total);
  let method = usual;
  let answer: DataAnswer<Refusable> = await client.call(usual, data);
  if (answer.verdict.kind !== 'out_of_window' && countOf(answer, usual) < total.guides) {
    const second = await client.tryCall(other, data);
    if (countOf(second, other) > countOf(answer, usual)) [method, answer] = [other, second];
  }
  const { contentType, body } = answer.http;
  const kept = { request: keptRequest(month, direction, method, total), contentType, body };
  await reading(kept, () => {
    // Some fewer may be the app's own way of counting (§7.3); none at all is an answer that lacks its rows.
    if (answer.verdict.kind === 'data' && countOf(answer, method) === 0)
      throw new SourceError(
        'source.unexpected_response',
        `${direction}/${total.type}: no guide came, the totals say ${total.guides}`,
      );
  });
  return kept;
};
