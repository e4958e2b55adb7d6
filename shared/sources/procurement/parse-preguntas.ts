/** Kept answer of the questions service → questions (procurement.md §3.3, §5). */
import { type Json, type JsonObject, type Parsed, type RawAnswer, SourceError } from '../source.ts';
import { showsSections } from './ficha.ts';
import { isWrittenObject, parseWritten, partOf, type Written, WrittenNumber, written } from './json.ts';
import { notFound } from './notices.ts';
import { proseOf } from './prose.ts';
import { type Place, readShownMoment, readText, unreadable } from './values.ts';

const INTEGER = /^\d{1,18}$/;

const readId = (value: unknown, field: string, place: Place): string => {
  const text = value instanceof WrittenNumber ? value.text : value;
  if (typeof text !== 'string' || !INTEGER.test(text)) throw unreadable(place, field, 'is not a whole number');
  return text;
};

const readProse = (value: unknown, field: string, place: Place): string | null => {
  const text = readText(value, field, place);
  return text === null ? null : proseOf(text) || null;
};

export function* parsePreguntas(codigo: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const answer = answers.find(({ key }) => key === 'preguntas');
  if (!answer) throw new Error('the questions were not asked for');
  const { plain: list, exact } = parseWritten(answer.body);
  if (!Array.isArray(list))
    throw new SourceError('source.unexpected_response', 'preguntas: the answer is not a JSON array');
  const ficha = answers.find(({ key }) => key === 'ficha');
  if (list.length === 0 && ficha && !showsSections(ficha.body)) return yield notFound('preguntas', codigo);
  for (const [at, plain] of list.entries()) {
    const item = { plain, exact: (exact as Json[])[at] };
    const place = `preguntas, row ${at + 1}`;
    if (!isWrittenObject(item)) throw unreadable(place, 'the row', 'is not an object');
    yield { row: { row: questionRow(item, codigo, place), raw: item.plain, answerKey: answer.key } };
  }
}

const questionRow = (item: Written<JsonObject>, codigo: string, place: Place) => {
  const published = partOf(item, 'RespuestaPublicada');
  const answered = isWrittenObject(published) ? published : null;
  if (!answered && published.plain !== null) throw unreadable(place, 'RespuestaPublicada', 'is not an object');
  const numero = written(item, 'Numero');
  return {
    codigo,
    pregunta_id: readId(written(item, 'idP'), 'idP', place),
    numero: numero === null ? null : readId(numero, 'Numero', place),
    // No such field was seen on the wire (§3.3).
    tema: null,
    pregunta: readProse(written(item, 'Descripcion'), 'Descripcion', place),
    respuesta: answered && readProse(written(answered, 'Descripcion'), 'RespuestaPublicada.Descripcion', place),
    fecha_pregunta: readShownMoment(written(item, 'FechaHora'), 'FechaHora', place),
    fecha_respuesta: answered && readShownMoment(written(answered, 'FechaHora'), 'RespuestaPublicada.FechaHora', place),
  };
};
