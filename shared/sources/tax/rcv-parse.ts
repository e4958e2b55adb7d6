/**
 * Parses the stored answers of a month into rows and notices (tax.md §9). Pure. The order of the answers does not
 * change the rows.
 */
import { countDamage, countEntities } from '#shared/values/damaged-forms.ts';
import type { ToldTotal, TotalGroup } from '#shared/values/source-totals.ts';
import { notice, unexpected } from '../parsing/results.ts';
import type { JsonObject, Parsed, ParsedRow, RawAnswer } from '../source.ts';
import { damagedNotice } from '../truth/damaged-text.ts';
import { requireAll } from '../truth/distinct-keys.ts';
import { type OddAnswer, oddLinesNotice } from '../truth/odd-lines.ts';
import { refuseEmptySums } from '../truth/totals.ts';
import { type KeyWatch, watchKeys } from '../truth/watch-keys.ts';
import { countIn } from './detail-rows.ts';
import { decodeAnswer, isOutOfWindow, isWord, jsonIn, parseJsonAnswer, tellTooOld } from './kept.ts';
import { fileText } from './rcv-file-text.ts';
import { parseFile } from './rcv-parse-csv.ts';
import { parseDetail } from './rcv-parse-json.ts';
import { bookInWords, checkMonth, describeRegisterReading, type RowTally, tallyRows } from './rcv-reading.ts';
import { type RegisterReading, toDirection } from './rcv-row.ts';
import {
  checkHeader,
  dataRows,
  isMonthlyTotal,
  missedCount,
  readSummary,
  type TypeTotal,
  toldFigures,
  withheld,
} from './rcv-summary.ts';

/**
 * Order in which the states are read, for any order of the answers: a document in two states gets the state that is
 * read last (decisions.md §5).
 */
const READ_ORDER = ['PENDIENTE', 'NO_INCLUIR', 'RECLAMADO', 'REGISTRO'];

const isSummary = ({ request }: RawAnswer): boolean => request.method === 'getResumen';
const isFile = ({ request }: RawAnswer): boolean => request.method === 'obtenerArchivoBLOB';

const rankOf = ({ request }: RawAnswer): number =>
  (request.operacion === 'VENTA' ? 100 : 0) + READ_ORDER.indexOf(String(request.estadoContab)) * 10;

const bookOf = ({ request }: RawAnswer): string => `${request.operacion}/${request.estadoContab}`;

/** Input of the notices about the whole month, collected from its answers. */
interface RegisterNotes {
  watch: KeyWatch;
  odd: OddAnswer[];
  damaged: number;
}

export function* parseRegister(company: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const notes: RegisterNotes = { watch: watchKeys(), odd: [], damaged: 0 };
  const inOrder = answers.toSorted((a, b) => rankOf(a) - rankOf(b));
  const [first] = inOrder;
  if (first === undefined) return;
  const { period } = describeRegisterReading(company, first);
  if (yield* outOfWindow(inOrder, period)) return;
  const totals = yield* readTotals(company, inOrder.filter(isSummary), notes.watch);
  for (const answer of rowAnswers(inOrder)) yield* readRows(company, answer, totals, notes);
  yield* notes.watch.notice('tax.rcv.columns_missing', { period });
  yield* damagedNotice('tax.rcv', { period }, notes.damaged);
  yield* oddLinesNotice('tax.rcv.lines_unreadable', { period }, notes.odd);
}

function* outOfWindow(answers: readonly RawAnswer[], period: string): Generator<Parsed, boolean> {
  const said = answers.filter((answer) => !isFile(answer) && isWord(answer, isOutOfWindow));
  const message = `The tax authority does not keep a register for ${period}: it is too old.`;
  return yield* tellTooOld(said, answers.length, () => notice('tax.rcv.out_of_window', message, { period }));
}

/**
 * Reads the totals by book and type. If the totals of one type were requested again after a file with too few
 * documents, the newer totals count for that type.
 */
function* readTotals(
  company: string,
  summaries: readonly RawAnswer[],
  watch: KeyWatch,
): Generator<Parsed, Map<string, BookTotal>> {
  const totals = new Map<string, BookTotal>();
  for (const answer of summaries.toSorted((a, b) => Number(isAgain(a)) - Number(isAgain(b)))) {
    const reading = describeRegisterReading(company, answer);
    const body = parseJsonAnswer(answer);
    checkHeader(body, { ...reading, company, month: reading.period.replace('-', '') }, answer.key);
    const read = readSummary(body, answer.key, watch);
    const group = bookGroup(reading);
    if (reading.askedType === null) yield* toldOfBook(body, read, reading);
    for (const total of read) {
      if (reading.askedType === null || reading.askedType === total.type)
        totals.set(`${bookOf(answer)}/${total.type}`, { ...total, group: { ...group, document_type: total.type } });
    }
    const now = read.some(({ type }) => type === reading.askedType);
    // All documents of the type moved to another state while the type was read, so the type has no total in this state.
    if (reading.askedType !== null && !now) totals.delete(`${bookOf(answer)}/${reading.askedType}`);
  }
  for (const total of totals.values()) yield { total: toldTotal(total) };
  return totals;
}

function* toldOfBook(body: JsonObject, totals: TypeTotal[], reading: RegisterReading): Generator<Parsed> {
  const group = bookGroup(reading);
  yield* withheldNotices(totals, reading);
  yield { wholeTotals: group };
  const missed = missedCount(body, totals);
  if (missed !== null) yield { total: { group, figures: { rows: String(missed) } } };
}

/** Returns the group of a book, named like the fields of the scope's rows. */
const bookGroup = ({ operation, estado }: RegisterReading): TotalGroup => ({
  direction: toDirection(operation),
  estado,
});

interface BookTotal extends TypeTotal {
  group: TotalGroup;
}

/**
 * Returns the total for the comparison with stored rows. A type that the register shows only as a total has no rows, so
 * its total is compared with zero rows.
 */
const toldTotal = (total: BookTotal): ToldTotal => ({
  group: total.group,
  figures: { rows: String(total.documents), ...toldFigures(total.amounts) },
  ...(isMonthlyTotal(total) ? { isListedOnly: true } : {}),
});

const isAgain = ({ request }: RawAnswer): boolean => request.codTipoDoc !== null && request.codTipoDoc !== undefined;

function* withheldNotices(totals: TypeTotal[], reading: RegisterReading): Generator<Parsed> {
  for (const { type, documents } of withheld(totals)) {
    const message = `${reading.period}, ${bookInWords(reading)}: ${documents} documents of type ${type} are shown as a total only.`;
    yield notice('tax.rcv.total_only', message, {
      ...{ period: reading.period, direction: toDirection(reading.operation), document_type: type, count: documents },
    });
  }
}

/**
 * Returns the answers with rows. If the direct answer had too few documents, a file was requested, and the file
 * replaces the direct answer.
 */
const rowAnswers = (answers: readonly RawAnswer[]): RawAnswer[] => {
  const typeOf = (answer: RawAnswer): string => `${bookOf(answer)}/${answer.request.codTipoDoc}`;
  const byFile = new Set(answers.filter(isFile).map(typeOf));
  return answers.filter((answer) => !isSummary(answer) && (isFile(answer) || !byFile.has(typeOf(answer))));
};

function* readRows(
  company: string,
  answer: RawAnswer,
  totals: ReadonlyMap<string, BookTotal>,
  notes: RegisterNotes,
): Generator<Parsed> {
  const reading = describeRegisterReading(company, answer);
  const tally = tallyRows(reading, answer.key, notes.watch);
  for (const row of readDocuments(answer, reading, tally)) yield { row };
  notes.damaged += tally.damaged;
  const odd = tally.odd.told();
  if (odd) notes.odd.push(odd);
  const total = totals.get(`${bookOf(answer)}/${reading.askedType}`);
  if (total?.hasDetail) validateType(total, reading, tally);
}

/** Throws when the documents do not match the totals. */
const validateType = (total: TypeTotal, reading: RegisterReading, tally: RowTally): void => {
  requireAll(`${tally.answerKey}: documents`, countIn(tally), total.documents);
  const isOther = reading.operation === 'VENTA' && total.isElectronic && tally.distinct.size > 0 && !tally.hasOwnMonth;
  if (isOther) throw unexpected(tally.answerKey, 'no document is of the month that was asked for');
  // If lines are unreadable, their amounts are missing from the sums, which is already reported.
  if (tally.odd.count === 0) refuseEmptySums(`${bookInWords(reading)}, type ${total.type}`, total.amounts, tally.sums);
};

/** Yields the rows of one answer. `tally` is complete after the caller has consumed all rows. */
export function* readDocuments(answer: RawAnswer, reading: RegisterReading, tally: RowTally): Generator<ParsedRow> {
  if (isFile(answer)) {
    const text = fileText(answer.body, answer.key);
    tally.damaged = countDamage(text) + countEntities(text);
    yield* parseFile(text, reading, tally);
  } else {
    const text = decodeAnswer(answer);
    const body = jsonIn(text, answer.key);
    if (isOutOfWindow(body)) throw unexpected(answer.key, 'says "too old", but contains rows');
    tally.damaged = countDamage(text) + countEntities(text);
    checkHeader(body, { ...reading, company: reading.own, month: reading.period.replace('-', '') }, answer.key);
    yield* parseAnswer(body, reading, tally);
  }
  tally.odd.validate(tally.lines);
  checkMonth(tally);
}

/** Parses a JSON answer. Export methods return the CSV lines in JSON (tax.md §5); details return objects. */
const parseAnswer = (body: JsonObject, reading: RegisterReading, tally: RowTally) => {
  const data = dataRows(body, tally.answerKey);
  return typeof data[0] === 'string'
    ? parseFile(data.map(String).join('\n'), reading, tally)
    : parseDetail(data, reading, tally);
};
