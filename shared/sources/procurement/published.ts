/**
 * Fetches the codes of the tenders of one day. The API has no ranges and no pages, so each day takes one call
 * (procurement.md §2.1, §2.3).
 */
import { checkedAnswer, unexpected } from '../parsing/results.ts';
import type { AskSource, JsonObject } from '../source.ts';
import { type ApiUser, askApi } from './api.ts';
import { parseJson } from './json.ts';

const codesOf = (list: readonly JsonObject[]): string[] =>
  list.map(({ CodigoExterno: codigo }, at) => {
    if (typeof codigo !== 'string' || codigo.trim() === '')
      throw unexpected(`tender API, row ${at + 1}`, 'CodigoExterno is missing');
    return codigo.trim();
  });

/** Converts `2026-11-05` to `05112026`. */
const wireDay = (day: string): string => day.split('-').reverse().join('');

export const publishedOn = async (day: string, user: ApiUser, ask: AskSource): Promise<string[]> => {
  const answer = await ask(`day/${day}`, async () => {
    const request = { fecha: wireDay(day) };
    const { list, ...http } = await askApi(user, request);
    return checkedAnswer(request, http, () => codesOf(list));
  });
  const { Listado } = parseJson(answer.body) as JsonObject;
  return codesOf((Listado ?? []) as JsonObject[]);
};
