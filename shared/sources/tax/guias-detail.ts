/** The answer of a detail method (tax.md §7.3): its rows, and the exact text of their rates. */
import { decodeText } from '../http/charset.ts';
import { type Json, type JsonObject, type RawAnswer, SourceError } from '../source.ts';
import { isObject } from './envelope.ts';
import { codeOf } from './kept.ts';

/** Under `dataResp`: the top-level `data` is null. Code 2, and an empty list under 0, are "nothing" (§7.4). */
export const detailRows = (answer: JsonObject, what: string): Json[] => {
  const { dataResp } = answer;
  if (dataResp === null || (dataResp === undefined && codeOf(answer) === '2')) return [];
  const rows = isObject(dataResp) ? dataResp.detalles : undefined;
  if (rows === null) return [];
  if (!Array.isArray(rows)) throw new SourceError('source.unexpected_response', `${what}: detalles is not a list`);
  return rows;
};

const RATE = 'tasaImptoIVA';

export interface ReadDetail {
  body: Json | undefined;
  /** `19.0` as it was written, by row: a number would lose its scale. */
  rates: ReadonlyMap<unknown, string>;
}

export const readDetail = (answer: RawAnswer): ReadDetail => {
  const rates = new Map<unknown, string>();
  function keepRate(this: unknown, key: string, value: Json, context?: { source?: string }): Json {
    if (key === RATE && typeof value === 'number' && context?.source !== undefined) rates.set(this, context.source);
    return value;
  }
  try {
    return { body: JSON.parse(decodeText(answer.body), keepRate) as Json, rates };
  } catch {
    return { body: undefined, rates };
  }
};
