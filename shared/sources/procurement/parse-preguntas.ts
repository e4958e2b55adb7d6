/** Kept answer of the questions service → questions (procurement.md §3.3, §5). */
import { load } from 'cheerio/slim';
import { type Parsed, type RawAnswer, SourceError } from '../source.ts';
import { hasSections } from './ficha.ts';
import { isObject, parseWritten, WrittenNumber } from './json.ts';
import { notFound } from './notices.ts';
import { openPage, tidy } from './page.ts';
import { type Place, readShownMoment, readText, unreadable } from './values.ts';

const INTEGER = /^\d{1,18}$/;

const readId = (value: unknown, field: string, place: Place): string => {
  const text = value instanceof WrittenNumber ? value.text : value;
  if (typeof text !== 'string' || !INTEGER.test(text)) throw unreadable(place, field, 'is not a whole number');
  return text;
};

/** May hold entities and line breaks, as tags, too (§3.3). */
const readProse = (value: unknown, field: string, place: Place): string | null => {
  const text = readText(value, field, place);
  if (text === null || !/[&<]/.test(text)) return text && tidy(text);
  // A lone `<` is what somebody wrote; only what is markup is read as such.
  const page = load(text.replaceAll(/<(?!\/?(?:br|p|b|i|u|div|span|strong|em|li|ul|ol)\b)/gi, '&lt;'));
  page('br').replaceWith('\n');
  page('p, div, li').append('\n');
  return tidy(page.root().text()) || null;
};

const plain = (value: unknown): unknown => {
  if (value instanceof WrittenNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
    : value;
};

export function* parsePreguntas(codigo: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const answer = answers.find(({ key }) => key === 'preguntas');
  if (!answer) throw new Error('the questions were not asked for');
  const list = parseWritten(answer.body);
  if (!Array.isArray(list))
    throw new SourceError('source.unexpected_response', 'preguntas: the answer is not a JSON array');
  const ficha = answers.find(({ key }) => key === 'ficha');
  if (list.length === 0 && ficha && !hasSections(openPage(ficha.body))) return yield notFound('preguntas', codigo);
  for (const [at, item] of list.entries()) {
    const place = `preguntas, row ${at + 1}`;
    if (!isObject(item)) throw unreadable(place, 'the row', 'is not an object');
    const { RespuestaPublicada: answered } = item as Record<string, unknown>;
    if (answered !== null && !isObject(answered)) throw unreadable(place, 'RespuestaPublicada', 'is not an object');
    yield {
      row: {
        row: {
          codigo,
          pregunta_id: readId(item.idP, 'idP', place),
          numero: item.Numero === null ? null : readId(item.Numero, 'Numero', place),
          // No such field was seen on the wire (§3.3).
          tema: null,
          pregunta: readProse(item.Descripcion, 'Descripcion', place),
          respuesta: answered && readProse(answered.Descripcion, 'RespuestaPublicada.Descripcion', place),
          fecha_pregunta: readShownMoment(item.FechaHora, 'FechaHora', place),
          fecha_respuesta: answered && readShownMoment(answered.FechaHora, 'RespuestaPublicada.FechaHora', place),
        },
        raw: plain(item) as never,
        answerKey: answer.key,
      },
    };
  }
}
