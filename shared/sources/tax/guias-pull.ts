/** Dispatch guides of one month, issued and received (tax.md §7): totals, then one detail per type. */
import { type Ask, type Progress, reading, SourceError } from '../source.ts';
import type { DataAnswer, DataClient, Refusable } from './client.ts';
import { countGuides } from './guias-parse.ts';
import { DETAIL_METHODS, type Direction, detailData, keptRequest, summaryData } from './guias-request.ts';
import { type GuideTotal, readGuideTotals } from './guias-summary.ts';
import { isGuideWindow, jsonOf } from './kept.ts';
import type { Month } from './rcv-request.ts';
import { checkRecentWindow } from './window.ts';

const DIRECTIONS: readonly Direction[] = ['issued', 'received'];

export const pullGuides = async (
  month: Month,
  client: DataClient,
  ask: Ask,
  now: () => number,
  progress: Progress,
): Promise<void> => {
  let found = 0;
  let read = 0;
  for (const direction of DIRECTIONS) {
    const key = `${direction}/summary`;
    const summary = jsonOf(await ask(key, () => askTotals(month, direction, client, now)));
    // It reacts to what it is told: where the window ends is not known (§7.4).
    if (isGuideWindow(summary)) continue;
    const totals = readGuideTotals(summary, month, key);
    found += totals.reduce((sum, { guides }) => sum + guides, 0);
    for (const total of totals) {
      await ask(`${direction}/${total.type}/${total.refNCD}`, () => askGuides(month, direction, total, client, now));
      read += total.guides;
      progress(`guias ${month.period}: ${read.toLocaleString('en-US')} of ${found.toLocaleString('en-US')} guides`);
    }
  }
};

const askTotals = async (month: Month, direction: Direction, client: DataClient, now: () => number) => {
  const { http, verdict } = await client.call('getResumen', summaryData(month, direction));
  const request = keptRequest(month, direction, 'getResumen', null);
  const kept = { request, contentType: http.contentType, body: http.body };
  await reading(kept, () => {
    checkRecentWindow(verdict, 'getResumen', month.period, now());
    if (verdict.kind === 'data') readGuideTotals(verdict.answer, month, 'getResumen');
  });
  return kept;
};

const askGuides = async (
  month: Month,
  direction: Direction,
  total: GuideTotal,
  client: DataClient,
  now: () => number,
) => {
  const [usual, other] = DETAIL_METHODS[direction];
  const data = detailData(month, direction, total);
  const key = `${direction}/${total.type}`;
  const keptOf = ({ http }: DataAnswer<Refusable>, method: string) => ({
    request: keptRequest(month, direction, method, total),
    contentType: http.contentType,
    body: http.body,
  });
  const countOf = (answer: DataAnswer<Refusable>, method: string): Promise<number> => {
    const kept = keptOf(answer, method);
    const { verdict } = answer;
    return reading(kept, () => (verdict.kind === 'data' ? countGuides(verdict.answer, { key, ...kept }) : 0));
  };
  let method = usual;
  let answer: DataAnswer<Refusable> = await client.call(usual, data);
  let came = await countOf(answer, usual);
  if (answer.verdict.kind !== 'out_of_window' && came < total.guides) {
    const second = await client.tryCall(other, data);
    const more = await countOf(second, other);
    if (more > came) [method, answer, came] = [other, second, more];
  }
  const kept = keptOf(answer, method);
  await reading(kept, () => {
    checkRecentWindow(answer.verdict, method, month.period, now());
    // Some fewer may be the app's own way of counting (§7.3); none at all is an answer that lacks its rows.
    if (answer.verdict.kind === 'data' && came === 0)
      throw new SourceError('source.unexpected_response', `${key}: no guide came, the totals say ${total.guides}`);
  });
  return kept;
};
