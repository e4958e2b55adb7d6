/** Totals that adapters report for their fixtures: by group, and whether the rows add up to them. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { differencesIn } from '#shared/rows/item/totals.rules.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { source as bankone } from '#shared/sources/bankone/source.ts';
import { source as bankthree } from '#shared/sources/bankthree/source.ts';
import type { JsonObject, Parsed, RawAnswer, SourceAdapter } from '#shared/sources/source.ts';
import { source as tax } from '#shared/sources/tax/source.ts';
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { tieOutOf, toldIn } from '#test/helpers/tie-out.ts';
import { answerOf } from './ask.ts';

interface Case {
  scope: string;
  period: string;
  credentials?: JsonObject;
  known?: KnownAccounts;
  answers: { key: string; file: string; request: JsonObject }[];
}

const SOURCES: Record<string, SourceAdapter> = { tax, bankone, bankthree };

/** The reported groups, each with the first figure that the fixture's rows do not add up to. */
const told = (code: string, name: string): string[] => {
  const folder = new URL(`../../../shared/sources/${code}/fixtures/`, import.meta.url);
  const fixture = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Case;
  const answers: RawAnswer[] = fixture.answers.map(({ key, request, file }) =>
    answerOf(key, request, readFileSync(new URL(file, folder))),
  );
  const scope = SCOPES.find((each) => each.source === code && each.name === fixture.scope)!;
  const request = { ...fixture, credentials: fixture.credentials ?? {} };
  const parsed: Parsed[] = [...SOURCES[code]!.parse(request, answers)];
  if (!scope.totals) {
    expect(toldIn(parsed)).toEqual({ totals: [], whole: [] });
    return [];
  }
  const totals = tieOutOf(scope, parsed);
  const groups = toldIn(parsed).totals.map(({ group }) => Object.values(group).join('/'));
  const [first] = differencesIn(totals);
  return first ? [...groups, `differs: ${first.figure} ${first.institution}, ${first.ours}`] : groups;
};

const TOLD: Record<string, Record<string, string[]>> = {
  tax: {
    'boletas-days': ['39/days'],
    'boletas-exempt-latin1': ['41/days', 'differs: total_amount 30001, 30000'],
    'boletas-exempt-refused': ['39/days', '39/register', '41/register', 'differs: total_documentos 9, 0'],
    'guias-fewer-than-total': ['issued/52', 'differs: rows 3, 1'],
  },
  bankone: {
    'movements-closed-empty': ['1230045607'],
    'movements-closed': ['1230045607', '501230000819'],
    nominas: ['300455', '300456', '300457'],
  },
  bankthree: {
    'closed-blank-separated': ['12345678'],
    'closed-empty': ['12345678'],
    'closed-twins-extra-columns': ['12345678'],
    closed: ['12345678'],
  },
};

test.each(Object.entries(TOLD))('%s', (code, expected) => {
  const folder = new URL(`../../../shared/sources/${code}/fixtures/`, import.meta.url);
  const cases = readdirSync(folder).filter((name) => name.endsWith('.case.json'));
  const all = cases.map((name) => [name.replace('.case.json', ''), told(code, name)] as const);
  expect(Object.fromEntries(all.filter(([, groups]) => groups.length > 0))).toEqual(expected);
});
