/** Parses the stored answer of the questions service into questions (procurement.md §3.3, §5). */
import { requireKept } from '../parsing/kept.ts';
import { unexpected } from '../parsing/results.ts';
import type { Json, JsonObject, Parsed, RawAnswer } from '../source.ts';
import { createOddLines } from '../truth/odd-lines.ts';
import { ANSWER_KEYS, QUESTION_KEYS } from './detail-keys.ts';
import { isKnownTender } from './ficha.ts';
import { isObject, isWrittenObject, parseWritten, takePart, type Written, WrittenNumber, written } from './json.ts';
import { notFound, type TenderNotes, tellNotes, tenderNotes, watchWritten } from './notices.ts';
import { openPage } from './page.ts';
import { cleanProse } from './prose.ts';
import { type FieldPath, readShownMoment, readText, unreadable } from './values.ts';

const INTEGER = /^\d{1,18}$/;
const LEADING_ZEROS = /^0+(?=\d)/;

/** Returns a whole number without leading zeros, because they do not make another number. */
const readCount = (value: unknown, field: string, place: FieldPath): string => {
  const text = value instanceof WrittenNumber ? value.text : value;
  if (typeof text !== 'string' || !INTEGER.test(text)) throw unreadable(place, field, 'is not a whole number');
  return text.replace(LEADING_ZEROS, '');
};

const readId = (value: unknown, field: string, place: FieldPath): string => {
  const id = readCount(value, field, place);
  if (id === '0') throw unreadable(place, field, 'is 0');
  return id;
};

type NumberKey = 'idP' | 'Numero';

/** The keys that hold the id of a question and its number within the tender. */
interface QuestionNumbers {
  id: NumberKey;
  number: NumberKey;
}

/** The only public capture of the forum has the number in `idP` and the id in `Numero` (§3.3). */
const CAPTURED: QuestionNumbers = { id: 'Numero', number: 'idP' };
const EXCHANGED: QuestionNumbers = { id: 'idP', number: 'Numero' };

/** True if the values contain 1 to n. */
const containCount = (values: ReadonlySet<unknown>, n: number): boolean =>
  Array.from({ length: n }, (_, at) => String(at + 1)).every((one) => values.has(one));

/** True if the values are 1 to n, in any order. A value that comes again is counted once. */
const areCounted = (list: readonly Json[], key: NumberKey): boolean => {
  const values = new Set(list.map((item) => (isObject(item) ? String(item[key]).replace(LEADING_ZEROS, '') : '')));
  return values.size > 0 && containCount(values, values.size);
};

/** Returns the keys of an answer: its number counts 1 to n. If both keys count or neither does, the capture decides. */
const chooseNumbers = (list: readonly Json[]): QuestionNumbers =>
  areCounted(list, 'Numero') && !areCounted(list, 'idP') ? EXCHANGED : CAPTURED;

const readProse = (value: unknown, field: string, place: FieldPath): string | null => {
  const text = readText(value, field, place);
  return text === null ? null : cleanProse(text) || null;
};

export function* parsePreguntas(codigo: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const answer = requireKept(answers, 'preguntas', 'the questions were not');
  const { plain: list, exact } = parseWritten(answer.body);
  if (!Array.isArray(list)) throw unexpected('preguntas', 'the answer is not a JSON array');
  const ficha = answers.find(({ key }) => key === 'ficha');
  if (list.length === 0 && ficha && !isKnownTender(openPage(ficha.body), codigo))
    return yield notFound('preguntas', codigo);
  const notes = tenderNotes();
  const odd = createOddLines('preguntas');
  const shown = shownQuestions(notes);
  const numbers = chooseNumbers(list);
  for (const [at, plain] of list.entries()) {
    const place = `preguntas, row ${at + 1}`;
    const row = odd.attempt(at + 1, () => {
      const item = { plain, exact: (exact as Json[])[at] };
      if (!isWrittenObject(item)) throw unreadable(place, 'the row', 'is not an object');
      return { row: questionRow(item, { codigo, numbers, place, notes }), raw: item.plain };
    });
    if (row === undefined || !shown.take(row.row)) continue;
    yield { row: { ...row, answerKey: answer.key } };
  }
  odd.validate(list.length);
  const told = odd.told();
  if (told) notes.odd.push(told);
  if (!told && !areNumbered(shown.rows()))
    notes.told.set('numbers_missing', 'the questions are not numbered one after the other; some may be missing.');
  yield* tellNotes('preguntas', codigo, notes);
}

interface ShownQuestion {
  pregunta_id: string;
  numero: string | undefined;
  pregunta?: string | undefined;
}

/** Two questions with the same key are one. A question without text or number has no key. */
const textKey = ({ numero, pregunta }: ShownQuestion): string | undefined =>
  numero === undefined || pregunta === undefined ? undefined : JSON.stringify([numero, pregunta]);

/** Collects the questions of an answer, and reports questions that come more than once. */
const shownQuestions = ({ told }: TenderNotes) => {
  const byId = new Map<string, ShownQuestion>();
  const idsByText = new Map<string, string>();
  const take = (row: ShownQuestion): boolean => {
    const { pregunta_id: id, pregunta } = row;
    const before = byId.get(id);
    const key = textKey(row) ?? id;
    const isOther = (idsByText.get(key) ?? id) !== id;
    if (before || isOther) told.set('rows_repeated', 'questions came more than once; others may be missing.');
    if (before && before.pregunta !== pregunta)
      told.set('questions_differ', 'questions of one number differ; one of them is stored.');
    if (isOther) return false;
    idsByText.set(key, id);
    byId.set(id, row);
    return true;
  };
  return {
    /** Records a question. Returns false if an earlier question with another id has its number and text. */
    take,
    rows: (): ShownQuestion[] => [...byId.values()],
  };
};

/**
 * True if the questions are numbered 1 to n, each once, in any order. Questions without numbers cannot be checked and
 * pass.
 */
const areNumbered = (rows: readonly { numero: string | undefined }[]): boolean => {
  const numbers = new Set(rows.map(({ numero }) => numero));
  return numbers.has(undefined) || containCount(numbers, rows.length);
};

interface QuestionPlace {
  codigo: string;
  numbers: QuestionNumbers;
  place: FieldPath;
  notes: TenderNotes;
}

const questionRow = (item: Written<JsonObject>, { codigo, numbers, place, notes }: QuestionPlace) => {
  const published = takePart(item, 'RespuestaPublicada');
  const answered = isWrittenObject(published) ? published : null;
  watchWritten(item, QUESTION_KEYS, place, notes);
  if (!answered && published.plain !== null) throw unreadable(place, 'RespuestaPublicada', 'is not an object');
  if (answered) watchWritten(answered, ANSWER_KEYS, `${place}, answer`, notes);
  const numero = written(item, numbers.number);
  const prose = (part: Written<JsonObject>, field: string) =>
    readProse(written(part, field), field, place) ?? undefined;
  const date = (part: Written<JsonObject>) =>
    readShownMoment(written(part, 'FechaHora'), 'FechaHora', place) ?? undefined;
  return {
    codigo,
    pregunta_id: readId(written(item, numbers.id), numbers.id, place),
    numero: numero === null || numero === undefined ? undefined : readCount(numero, numbers.number, place),
    // The wire has no field for the topic (§3.3).
    tema: null,
    pregunta: prose(item, 'Descripcion'),
    respuesta: answered && prose(answered, 'Descripcion'),
    fecha_pregunta: date(item),
    fecha_respuesta: answered && date(answered),
  };
};
