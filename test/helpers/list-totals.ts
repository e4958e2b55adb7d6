/** Totals as an integrator asks for them, and the expected totals by the plainest means: the rows of the list added up. */
import Big from 'big.js';
import { expect } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { type Row, type ScopeDefinition, type SummedScope, scopeId } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { findResource } from '../../dashboard/src/data/find-resource.ts';
import { linesFromGroups, rowAdder } from '../../dashboard/src/data/totals/total-lines.ts';
import { bearer, type Credential, keyOf } from './callers.ts';
import { handlerOf } from './handlers.ts';
import { type Answered, call } from './http.ts';
import { expectedRows, type ModelFilter, modelRow } from './read-model.ts';
import { readerOf } from './source-totals.ts';

const isSummed = (scope: ScopeDefinition): scope is SummedScope => (scope.agent?.sums.length ?? 0) > 0;
export const SUMMED_SCOPES: readonly SummedScope[] = SCOPES.filter(isSummed);

export const queryOf = ({ fields, ...filter }: ModelFilter): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filter, ...fields })) if (value !== undefined) query.set(name, value);
  return query.toString();
};

export const askTotals = async (
  caller: Credential,
  scope: ScopeDefinition,
  id: string,
  query = '',
): Promise<Answered> => {
  const path = `/connections/{id}/${scope.resource}/totals`;
  const contract = ENDPOINTS.find((endpoint) => endpoint.path === path);
  if (!contract) throw new Error(`there is no ${path}`);
  return call(contract, await handlerOf(contract.id), { ...caller, params: { id }, query });
};

interface Totals {
  rows: number;
  groups: { group: Row; rows: number; is_subtracted?: boolean; sums: Record<string, string> }[];
  net?: { group: Row; sums: Record<string, string> }[];
}

const CREDIT_NOTES = ['60', '61', '106', '112'];
const isSigned = ({ source, name }: ScopeDefinition): boolean => source === 'tax' && name === 'rcv';
const isCreditNote = (row: Row): boolean => CREDIT_NOTES.includes(String(row.document_type));

const valuesOf = (row: Row, fields: readonly string[]): Row =>
  Object.fromEntries(fields.map((field) => [field, row[field] ?? null]));
const groupBy = (rows: readonly Row[], fields: readonly string[]): [Row, Row[]][] =>
  [...Map.groupBy(rows, (row) => JSON.stringify(valuesOf(row, fields)))].map(([group, of]) => [JSON.parse(group), of]);

const sumsOf = (rows: readonly Row[], fields: readonly string[], sign: (row: Row) => 1 | -1): Record<string, string> =>
  Object.fromEntries(
    fields.map((field) => [
      field,
      rows.reduce((sum, row) => sum.plus(Big(String(row[field] ?? 0)).times(sign(row))), Big(0)).toFixed(),
    ]),
  );

/** The totals in any order as one order. */
const ordered = ({ rows, groups, net }: Totals): Totals => {
  const place = ({ group }: { group: Row }) => JSON.stringify(group);
  const sort = <T extends { group: Row }>(list: readonly T[]) =>
    list.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  return { rows, groups: sort(groups), ...(net ? { net: sort(net) } : {}) };
};

const plainTotals = (scope: SummedScope, rows: readonly Row[]): Totals => {
  const { sums, groups } = scope.agent;
  const added = groupBy(rows, groups).map(([group, of]) => ({
    group,
    rows: of.length,
    ...(isSigned(scope) ? { is_subtracted: isCreditNote(group) } : {}),
    sums: sumsOf(of, sums, () => 1),
  }));
  const net = groupBy(
    rows,
    groups.filter((field) => field !== 'document_type'),
  ).map(([group, of]) => ({ group, sums: sumsOf(of, sums, (row) => (isCreditNote(row) ? -1 : 1)) }));
  return { rows: rows.length, groups: added, ...(isSigned(scope) ? { net } : {}) };
};

/** The totals under a filter equal the rows of the model. */
export const expectTotals = (
  { status, body }: Answered,
  scope: SummedScope,
  rows: readonly Row[],
  what: string,
): void => {
  expect([status, status === 200 ? ordered(body.data) : body], what).toEqual([200, ordered(plainTotals(scope, rows))]);
};

/** The lines that the dashboard shows of the totals equal its lines of the rows, with credit notes subtracted. */
const expectShownLines = (
  { body }: Answered,
  { source, name }: ScopeDefinition,
  rows: readonly Row[],
  what: string,
) => {
  const resource = findResource(source, name);
  if (!resource) throw new Error(`the dashboard does not show ${source}.${name}`);
  const ofRows = rowAdder(resource);
  ofRows.add(rows);
  expect(linesFromGroups(resource, body.data.groups), `shown: ${what}`).toEqual(ofRows.result());
};

const partFilter = ({ facets }: ScopeDefinition, part: string): Record<string, string> => {
  const values = part.split('.');
  return Object.fromEntries(Object.keys(facets).map((field, at) => [field, values[at]!]));
};

const TEXTS = [undefined, 'a', '7'];
const TYPES = [undefined, '33', '61'];
const DAYS = [
  {},
  { from: '2026-10-08' },
  { from: '2026-10-03', to: '2026-10-31' },
  { from: '2026-10-01', to: '2026-11-30' },
];

/** Every combination of a scope's filters, with few values of each. */
export const everyFilter = (scope: ScopeDefinition, periods: readonly string[]): ModelFilter[] => {
  const choices: ModelFilter[][] = [
    [{ fields: {} }, ...periods.map((period) => ({ period, fields: {} }))],
    DAYS.map((days) => ({ ...days, fields: {} })),
    (scope.search ? TEXTS : [undefined]).map((q) => ({ q, fields: {} })),
    (scope.search?.exact ? TYPES : [undefined]).map((document_type) => ({
      fields: document_type ? { document_type } : {},
    })),
    ...Object.entries(scope.facets).map(([field, values]) =>
      [undefined, ...values].map((value) => ({ fields: value === undefined ? {} : { [field]: value } })),
    ),
  ];
  return choices.reduce(
    (all, choice) =>
      all.flatMap((one) => choice.map((more) => ({ ...one, ...more, fields: { ...one.fields, ...more.fields } }))),
    [{ fields: {} }],
  );
};

type Held = { count: number; sums: Record<string, string>; by?: Record<string, Omit<Held, 'by'>> };

/**
 * The totals of each month, whole and by part, equal the institution's ledger, and under every filter they equal the rows
 * of the list. `few` chooses some of the filters.
 */
export const expectTotalsOfLedger = async (
  connection: Connection,
  scope: SummedScope,
  held: Readonly<Record<string, Held>>,
  periods: readonly string[],
  few: <T>(list: readonly T[]) => readonly T[],
): Promise<void> => {
  const caller = bearer((await keyOf(connection.organizationId)).token);
  const ask = (query: string) => askTotals(caller, scope, connection.id, query);
  const fields = (of: Held) => Object.keys(of.sums).filter((field) => scope.agent.sums.includes(field));
  for (const period of periods) {
    const month = held[period];
    if (!month) continue;
    const parts: [Record<string, string>, Held][] = [
      [{}, month],
      ...(Object.keys(scope.facets).length > 0 ? Object.entries(month.by ?? {}) : []).map(
        ([part, of]): [Record<string, string>, Held] => [partFilter(scope, part), of],
      ),
    ];
    for (const [filter, of] of parts) {
      const { data } = (await ask(queryOf({ period, fields: filter }))).body as { data: Totals };
      const sum = (field: string) => data.groups.reduce((all, { sums }) => all.plus(sums[field]!), Big(0)).toFixed();
      const ours = { rows: data.rows, sums: Object.fromEntries(fields(of).map((field) => [field, sum(field)])) };
      const theirs = Object.fromEntries(fields(of).map((field) => [field, Big(of.sums[field]!).toFixed()]));
      expect(ours, `${scope.name} ${period} ${JSON.stringify(filter)}`).toEqual({ rows: of.count, sums: theirs });
    }
  }
  const rows = (await (await readerOf(connection)).rows(scope)).map((row) =>
    modelRow(scopeId(scope), String(row.id), row),
  );
  for (const filter of few(everyFilter(scope, periods))) {
    const wanted = expectedRows(rows, filter).map(({ row }) => row);
    const answer = await ask(queryOf(filter));
    const what = `${scope.name}?${queryOf(filter)}`;
    expectTotals(answer, scope, wanted, what);
    expectShownLines(answer, scope, wanted, what);
  }
};
