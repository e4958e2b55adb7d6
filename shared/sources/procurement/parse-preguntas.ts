/** Parses the stored answer of the questions service into questions (procurement.md §3.3, §5). */
import { requireKept } from '../parsing/kept.ts';
import { unexpected } from '../parsing/results.ts';
import type { Json, JsonObject, Parsed, RawAnswer } from '../source.ts';
import { createOddLines } from '../truth/odd-lines.ts';
import { ANSWER_KEYS, QUESTION_KEYS } from './detail-keys.ts';
import { isKnownTender } from './ficha.ts';
import { isWrittenObject, parseWritten, takePart, type Written, WrittenNumber, written } from './json.ts';
import { notFound, type TenderNotes, tellNotes, tenderNotes, watchWritten } from './notices.ts';
import { openPage } from './page.ts';
import { cleanProse } from './prose.ts';
import { type FieldPath, readShownMoment, readText, unreadable } from './values.ts';

const INTEGER = /^\d{1,18}$/;
const LEADING_ZEROS = /^0+(?=\d)/;

/** Returns a whole number without leading zeros, because they do not make another number. */
const readId = (value: unknown, field: string, place: FieldPath): string => {
  const text = value instanceof WrittenNumber ? value.text : value;
  if (typeof text !== 'string' || !INTEGER.test(text)) throw unreadable(place, field, 'is not a whole number');
  return text.replace(LEADING_ZEROS, '');
};

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
  const shown: ShownQuestions = new Map();
  for (const [at, plain] of list.entries()) {
    const place = `preguntas, row ${at + 1}`;
    const row = odd.attempt(at + 1, () => {
      const item = { plain, exact: (exact as Json[])[at] };
      if (!isWrittenObject(item)) throw unreadable(place, 'the row', 'is not an object');
      return { row: questionRow(item, codigo, place, notes), raw: item.plain };
    });
    if (row === undefined) continue;
    noteRepeated(row.row, shown, notes);
    yield { row: { ...row, answerKey: answer.key } };
  }
  odd.validate(list.length);
  const told = odd.told();
  if (told) notes.odd.push(told);
  if (!told && !areNumbered([...shown.values()]))
    notes.told.set('numbers_missing', 'the questions are not numbered one after the other; some may be missing.');
  yield* tellNotes('preguntas', codigo, notes);
}

/** Maps the id of a question to its text and number. */
type ShownQuestions = Map<string, { pregunta: string; numero: string | undefined }>;

const noteRepeated = (row: ReturnType<typeof questionRow>, shown: ShownQuestions, notes: TenderNotes): void => {
  const { pregunta_id: id, pregunta = '', numero } = row;
  const before = shown.get(id);
  if (before) notes.told.set('rows_repeated', 'questions came more than once; others may be missing.');
  if (before && before.pregunta !== pregunta)
    notes.told.set('questions_differ', 'questions of one number differ; one of them is stored.');
  shown.set(id, { pregunta, numero });
};

/**
 * True if the questions are numbered 1 to n, each once, in any order. Questions without numbers cannot be checked and
 * pass.
 */
const areNumbered = (rows: readonly { numero: string | undefined }[]): boolean => {
  const numbers = new Set(rows.map(({ numero }) => numero));
  return numbers.has(undefined) || rows.every((_, at) => numbers.has(String(at + 1)));
};

const questionRow = (item: Written<JsonObject>, codigo: string, place: FieldPath, notes: TenderNotes) => {
  const published = takePart(item, 'RespuestaPublicada');
  const answered = isWrittenObject(published) ? published : null;
  watchWritten(item, QUESTION_KEYS, place, notes);
  if (!answered && published.plain !== null) throw unreadable(place, 'RespuestaPublicada', 'is not an object');
  if (answered) watchWritten(answered, ANSWER_KEYS, `${place}, answer`, notes);
  const numero = written(item, 'Numero');
  const prose = (part: Written<JsonObject>, field: string) =>
    readProse(written(part, field), field, place) ?? undefined;
  const date = (part: Written<JsonObject>) =>
    readShownMoment(written(part, 'FechaHora'), 'FechaHora', place) ?? undefined;
  return {
    codigo,
    pregunta_id: readId(written(item, 'idP'), 'idP', place),
    numero: numero === null || numero === undefined ? undefined : readId(numero, 'Numero', place),
    // The wire has no field for the topic (§3.3).
    tema: null,
    pregunta: prose(item, 'Descripcion'),
    respuesta: answered && prose(answered, 'Descripcion'),
    fecha_pregunta: date(item),
    fecha_respuesta: answered && date(answered),
  };
};
