/** Codes of the tenders of one day: the API has no ranges and no pages, one call a day (procurement.md §2.1, §2.3). */
import { type Ask, type JsonObject, reading, SourceError, type SourceIo } from '../source.ts';
import { askApi } from './api.ts';
import { parseJson } from './json.ts';
import type { OpenSession } from './session.ts';

const codesOf = (list: readonly JsonObject[]): string[] =>
  list.map(({ CodigoExterno: codigo }, at) => {
    if (typeof codigo !== 'string' || codigo.trim() === '')
      throw new SourceError('source.unexpected_response', `tender API, row ${at + 1}: CodigoExterno is missing`);
    return codigo.trim();
  });

/** `2026-11-05` → `05112026`. */
const wireDay = (day: string): string => day.split('-').reverse().join('');

export const publishedOn = async (
  day: string,
  ticket: string,
  open: OpenSession,
  ask: Ask,
  io: SourceIo,
): Promise<string[]> => {
  const answer = await ask(`day/${day}`, async () => {
    const request = { fecha: wireDay(day) };
    const { contentType, body, list } = await askApi(open, ticket, request, io);
    await reading({ request, contentType, body }, () => codesOf(list));
    return { request, contentType, body };
  });
  const { Listado } = parseJson(answer.body) as JsonObject;
  return codesOf((Listado ?? []) as JsonObject[]);
};
