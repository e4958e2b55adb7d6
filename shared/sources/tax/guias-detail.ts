/** Reads the answer of a detail method (tax.md §7.3): its rows, and the exact text of each row's rate. */
import { decodeText } from '../http/charset.ts';
import { isObject, parseJson } from '../parsing/bodies.ts';
import { unexpected } from '../parsing/results.ts';
import type { Json, JsonObject, RawAnswer } from '../source.ts';
import { readAnswerCode } from './kept.ts';

/**
 * Returns the rows, which are under `dataResp`; the top-level `data` is null. Code 2 means "nothing", and so does code
 * 0 with an empty list (§7.4).
 */
export const detailRows = (answer: JsonObject, what: string): Json[] => {
  const { dataResp } = answer;
  const isNothing = readAnswerCode(answer) === '2';
  const rows = isObject(dataResp) ? dataResp.detalles : undefined;
  if (isNothing && !Array.isArray(rows)) return [];
  if (!Array.isArray(rows)) throw unexpected(what, 'detalles is not a list');
  if (isNothing && rows.length > 0) throw unexpected(what, 'says that there is nothing, but contains guides');
  return rows;
};

const RATE = 'tasaImptoIVA';

export interface ReadDetail {
  body: Json | undefined;
  /**
   * Text of each row's rate, such as `19.0`, by position of the row in `detalles`. A number would lose the decimals.
   */
  rates: readonly (string | undefined)[];
}

export const readDetail = (answer: RawAnswer): ReadDetail => {
  const text = decodeText(answer.body);
  const body = parseJson(text);
  if (body === undefined) return { body, rates: [] };
  const rates = ratesInOrder(text, rowsIn(body));
  return rates ? { body, rates } : readSlowly(text);
};

const rowsIn = (body: Json): readonly Json[] => {
  const { detalles } = isObject(body) && isObject(body.dataResp) ? body.dataResp : {};
  return Array.isArray(detalles) ? detalles : [];
};

const NAME = `"${RATE}"`;
/**
 * Matches the colon and, if present, the number after a key. The text before the match is the rate's key, or perhaps
 * the end of a longer key.
 */
const WRITTEN_RATE = /\s*:\s*(-?\d[-+.eE\d]*)?/y;
/**
 * Matches an escaped ASCII letter. JSON allows this in keys, but no known producer does it: producers only escape
 * letters beyond ASCII.
 */
const ESCAPED_ASCII = /\\u00[4-7]/i;

const writtenRates = (text: string): (string | undefined)[] => {
  const written: (string | undefined)[] = [];
  for (let at = text.indexOf(NAME); at >= 0; at = text.indexOf(NAME, at + NAME.length)) {
    WRITTEN_RATE.lastIndex = at + NAME.length;
    const match = WRITTEN_RATE.exec(text);
    if (match) written.push(match[1]);
  }
  return written;
};

/**
 * Returns the text of each row's rate, in the order of the rows, if the text has as many rates as there are rows with a
 * rate. Otherwise returns undefined, and `readSlowly` matches rates and rows in ten times the time
 * (docs/performance.md).
 */
const ratesInOrder = (text: string, rows: readonly Json[]): (string | undefined)[] | undefined => {
  if (text.includes('\\u00') && ESCAPED_ASCII.test(text)) return undefined;
  const written = writtenRates(text);
  let read = 0;
  const rates = rows.map((row) => (isObject(row) && RATE in row ? written[read++] : undefined));
  return read === written.length ? rates : undefined;
};

const readSlowly = (text: string): ReadDetail => {
  const rates = new Map<unknown, string>();
  function keepRate(this: unknown, key: string, value: Json, context?: { source?: string }): Json {
    if (key === RATE && typeof value === 'number' && context?.source !== undefined) rates.set(this, context.source);
    return value;
  }
  const body = JSON.parse(text, keepRate) as Json;
  return { body, rates: rowsIn(body).map((row) => rates.get(row)) };
};
