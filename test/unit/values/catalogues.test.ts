/**
 * The catalogues of codes: complete texts, and for every code a login of a sandbox, or the reason why no login shows
 * it.
 */
import { expect, expectTypeOf, it } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { describeService } from '#shared/http/openapi/description.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { ERROR_CATALOGUE } from '#shared/values/error-catalogue.ts';
import { NOTICE_CATALOGUE, type NoticeCode } from '#shared/values/notice-catalogue.ts';
import { SYNC_ERRORS } from '#shared/values/sync-errors.ts';
import { loginsByCode, readSandboxTables } from '#tools/sandbox-credentials.ts';

const CODES = [...ERROR_CATALOGUE, ...NOTICE_CATALOGUE];
const logins = loginsByCode(await readSandboxTables());

/** Codes of the entries in a list that lack something. */
const without = <Entry extends { code: string }>(entries: readonly Entry[], has: (entry: Entry) => boolean): string[] =>
  entries.filter((entry) => !has(entry)).map(({ code }) => code);

it('lists every code of a run once', () => {
  expect(ERROR_CATALOGUE.map(({ code }) => code)).toEqual(Object.keys(SYNC_ERRORS));
  expect(new Set(CODES.map(({ code }) => code)).size).toBe(CODES.length);
});

it('has a sentence in both languages for each, and an advice for each notice', () => {
  const isSentence = (text: string): boolean => /^\p{Lu}.*\.$/su.test(text);
  expect(without(CODES, ({ es, en }) => isSentence(es) && isSentence(en) && es !== en)).toEqual([]);
  expect(without(NOTICE_CATALOGUE, ({ todo }) => isSentence(todo))).toEqual([]);
});

it('knows a login for each code, or says why no login shows it', () => {
  expect(without(CODES, ({ code, noLogin }) => logins.has(code) || /^\p{Lu}.{30,}\.$/su.test(noLogin ?? ''))).toEqual(
    [],
  );
});

it('claims of no code with a known login that it has no login', () => {
  expect(without(ERROR_CATALOGUE, ({ code, noLogin }) => !logins.has(code) || noLogin === undefined)).toEqual([]);
  // One sentence gives the reason for all scopes of a word without a login: delete it when each scope has a login.
  const words = Map.groupBy(NOTICE_CATALOGUE, ({ word }) => word);
  const idle = [...words].filter(
    ([, all]) => all[0]!.noLogin !== undefined && all.every(({ code }) => logins.has(code)),
  );
  expect(idle.map(([word]) => word)).toEqual([]);
});

it('lists every code that the tables of the sandboxes name', () => {
  const listed = new Set<string>(CODES.map(({ code }) => code));
  expect([...logins.keys()].filter((code) => !listed.has(code))).toEqual([]);
});

it('names scopes and sources that there are', () => {
  const known = new Set(['sync', ...SCOPES.flatMap(({ source, name }) => [source, `${source}.${name}`])]);
  expect(without(NOTICE_CATALOGUE, ({ code, word }) => known.has(code.slice(0, -word.length - 1)))).toEqual([]);
});

it('is in the description, code by code', () => {
  const description = describeService(ENDPOINTS, SCOPES, {}) as Record<string, { code: string }[]>;
  expect(description['x-sync-error-codes']!.map(({ code }) => code)).toEqual(ERROR_CATALOGUE.map(({ code }) => code));
  expect(description['x-notice-codes']!.map(({ code }) => code)).toEqual(NOTICE_CATALOGUE.map(({ code }) => code));
});

it('lets no unlisted notice be written', () => {
  expectTypeOf<'tax.guias.out_of_window'>().toExtend<NoticeCode>();
  expectTypeOf<'tax.guias.of_tomorrow'>().not.toExtend<NoticeCode>();
  expectTypeOf<'tax.guias.not_published'>().not.toExtend<NoticeCode>();
  expectTypeOf<string>().not.toExtend<NoticeCode>();
});
