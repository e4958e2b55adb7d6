/**
 * Fetches the dispatch guides of one month, issued and received (tax.md §7): first the totals, then one detail per
 * document type.
 */
import { checkedAnswer, reading, unexpected } from '../parsing/results.ts';
import type { PullContext, UnparsedAnswer } from '../source.ts';
import type { DataAnswer, DataClient, Refusable } from './client.ts';
import { countGuides } from './guias-parse.ts';
import { DETAIL_METHODS, type Direction, detailData, keptRequest, summaryData } from './guias-request.ts';
import { type GuideTotal, readGuideTotals } from './guias-summary.ts';
import { isGuideWindow, parseJsonAnswer } from './kept.ts';
import type { CompanyMonth } from './rcv-request.ts';
import { checkRecentWindow } from './window.ts';

const DIRECTIONS: readonly Direction[] = ['issued', 'received'];

/** Parameters of the requests of one direction. */
interface GuideDirection {
  month: CompanyMonth;
  direction: Direction;
  client: DataClient;
  now(): number;
}

export const pullGuides = async (
  month: CompanyMonth,
  client: DataClient,
  { ask, io, progress }: PullContext,
): Promise<void> => {
  let found = 0;
  let read = 0;
  for (const direction of DIRECTIONS) {
    const side: GuideDirection = { month, direction, client, now: io.now };
    const key = `${direction}/summary`;
    const summary = parseJsonAnswer(await ask(key, () => askTotals(side)));
    // The exact limit of the window is unknown (§7.4), so only the app's answer shows that a month is too old.
    if (isGuideWindow(summary)) continue;
    const totals = readGuideTotals(summary, month, key);
    found += totals.reduce((sum, { guides }) => sum + guides, 0);
    for (const total of totals) {
      await ask(`${direction}/${total.type}/${total.refNCD}`, () => askGuides(total, side));
      read += total.guides;
      progress(`guias ${month.period}: ${read.toLocaleString('en-US')} of ${found.toLocaleString('en-US')} guides`);
    }
  }
};

const askTotals = async ({ month, direction, client, now }: GuideDirection): Promise<UnparsedAnswer> => {
  const { http, verdict } = await client.call('getResumen', summaryData(month, direction));
  return checkedAnswer(keptRequest(month, direction, 'getResumen', null), http, () => {
    checkRecentWindow(verdict, 'getResumen', month.period, now());
    if (verdict.kind === 'data') readGuideTotals(verdict.answer, month, 'getResumen');
  });
};

const askGuides = async (
  total: GuideTotal,
  { month, direction, client, now }: GuideDirection,
): Promise<UnparsedAnswer> => {
  const [usual, other] = DETAIL_METHODS[direction];
  const data = detailData(month, direction, total);
  const key = `${direction}/${total.type}`;
  const requestOf = (method: string) => keptRequest(month, direction, method, total);
  const countOf = ({ http, verdict }: DataAnswer<Refusable>, method: string): Promise<number> =>
    reading(requestOf(method), http, (kept) =>
      verdict.kind === 'data' ? countGuides(verdict.answer, { key, ...kept }) : 0,
    );
  let method = usual;
  let answer: DataAnswer<Refusable> = await client.call(usual, data);
  let came = await countOf(answer, usual);
  if (answer.verdict.kind !== 'out_of_window' && came < total.guides) {
    const second = await client.tryCall(other, data);
    const more = await countOf(second, other);
    if (more > came) [method, answer, came] = [other, second, more];
  }
  return checkedAnswer(requestOf(method), answer.http, () => {
    checkRecentWindow(answer.verdict, method, month.period, now());
    // If slightly fewer guides arrive than the totals say, the app may count differently (§7.3). If no guide arrives,
    // the answer is incomplete.
    if (answer.verdict.kind === 'data' && came === 0)
      throw unexpected(key, `no guide was received, the totals say ${total.guides}`);
  });
};
