/** Parses the stored answers of a month of dispatch guides into rows and notices (tax.md §7.3, §10). Pure. */
import { isObject } from '../parsing/bodies.ts';
import { notice, unexpected } from '../parsing/results.ts';
import type { JsonObject, Parsed, RawAnswer } from '../source.ts';
import { type OddAnswer, oddLinesNotice } from '../truth/odd-lines.ts';
import { refuseEmptySums } from '../truth/totals.ts';
import { type KeyWatch, watchKeys } from '../truth/watch-keys.ts';
import { countIn } from './detail-rows.ts';
import { detailRows, readDetail } from './guias-detail.ts';
import { describeGuideReading, type GuideReading, type GuideTally, tallyGuides } from './guias-reading.ts';
import type { Direction } from './guias-request.ts';
import { readGuides } from './guias-row.ts';
import { type GuideTotal, readGuideTotals, together } from './guias-summary.ts';
import { isGuideWindow, isWord, parseJsonAnswer, tellTooOld } from './kept.ts';
import { toldFigures } from './rcv-summary.ts';

/** Input of the notices about the whole month, collected from its answers. */
interface GuideNotes {
  watch: KeyWatch;
  odd: OddAnswer[];
}

export function* parseGuides(company: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const [first] = answers;
  if (first === undefined) return;
  const { period } = describeGuideReading(first);
  const summaries = answers.filter((answer) => !isDetail(answer));
  const details = answers.filter(isDetail);
  if (yield* outOfWindow(summaries, period)) return;
  const notes: GuideNotes = { watch: watchKeys(), odd: [] };
  const totals = new Map<string, GuideTotal>();
  for (const answer of summaries) {
    const reading = describeGuideReading(answer);
    const read = readGuideTotals(parseJsonAnswer(answer), { company, period }, answer.key, notes.watch);
    for (const total of read) totals.set(keyOf({ ...reading, ...total }), total);
    yield* toldTotals(read, reading.direction);
  }
  if (yield* outOfWindow(details, period)) return;
  for (const answer of details) yield* guides(answer, totals, notes);
  yield* notes.watch.notice('tax.guias.columns_missing', { period });
  yield* oddLinesNotice('tax.guias.lines_unreadable', { period }, notes.odd);
}

/**
 * Yields the totals of each document type. A row does not name its section, so the totals of all sections of a type are
 * added up.
 */
function* toldTotals(totals: readonly GuideTotal[], direction: Direction): Generator<Parsed> {
  yield { wholeTotals: { direction } };
  for (const [type, sections] of Map.groupBy(totals, ({ type: of }) => of)) {
    const { guides, amounts } = sections.reduce(together);
    const figures = { rows: String(guides), ...toldFigures(amounts) };
    yield { total: { group: { direction, document_type: type }, figures } };
  }
}

const isDetail = ({ request }: RawAnswer): boolean => request.method !== 'getResumen';

const keyOf = ({ direction, type, refNCD }: GuideReading): string => `${direction}/${type}/${refNCD}`;

function* outOfWindow(answers: readonly RawAnswer[], period: string): Generator<Parsed, boolean> {
  const message = `The tax authority does not keep dispatch guides of ${period} any more: it is too old.`;
  const said = answers.filter((answer) => isWord(answer, isGuideWindow));
  return yield* tellTooOld(said, answers.length, () => notice('tax.guias.out_of_window', message, { period }));
}

function* guides(
  answer: RawAnswer,
  totals: ReadonlyMap<string, GuideTotal>,
  { watch, odd }: GuideNotes,
): Generator<Parsed> {
  const reading = describeGuideReading(answer);
  const tally = tallyGuides(answer.key, watch);
  const { body, rates } = readDetail(answer);
  if (!isObject(body)) throw unexpected(answer.key, 'the answer is not a JSON object');
  if (isGuideWindow(body)) throw unexpected(answer.key, 'says "too old", but contains rows');
  for (const row of readGuides(detailRows(body, answer.key), rates, reading, tally)) yield { row };
  tally.odd.validate(tally.lines);
  const unread = tally.odd.told();
  if (unread) odd.push(unread);
  const total = totals.get(keyOf(reading));
  if (total) yield* validateGuides(total, tally, reading);
}

/**
 * Compares the app's totals with the rows. The totals do not always match the rows (§7.3), so a difference is reported
 * and is never an error.
 */
function* validateGuides(
  { guides, amounts }: GuideTotal,
  tally: GuideTally,
  { period, direction }: GuideReading,
): Generator<Parsed> {
  const came = countIn(tally);
  if (came < guides) {
    const message = `${period}, ${direction}: ${came} guides came, the authority's total says ${guides}.`;
    yield notice('tax.guias.fewer_than_total', message, { period, direction, count: came, total: guides });
  } else if (tally.odd.count === 0) refuseEmptySums(`${direction} guides`, amounts, tally.sums);
}

/** Returns the number of guides in a detail without copies, counted in the same way as by the parser. */
export const countGuides = (body: JsonObject, answer: Pick<RawAnswer, 'key' | 'request'>): number => {
  const tally = tallyGuides(answer.key, watchKeys());
  for (const _ of readGuides(detailRows(body, answer.key), [], describeGuideReading(answer), tally));
  tally.odd.validate(tally.lines);
  return countIn(tally);
};
