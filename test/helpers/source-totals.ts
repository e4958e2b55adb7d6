/**
 * Rows as an integrator reads them, page by page through the handlers, and their sums compared with the institution's.
 */

import Big from 'big.js';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { chunks } from '#shared/platform/concurrency.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { bearer, type Credential, keyOf } from './callers.ts';
import { handlerOf } from './handlers.ts';
import { call } from './http.ts';
import type { Ledger } from './source-story.ts';

/** Number of documents read in parallel: thousands of connections at once would time out. */
const AT_ONCE = 50;
const PAGE_ROWS = 200;
/** The ledger's name for the only unit of a scope without periods. */
export const NOW = 'now';

export interface Reader {
  /** All rows of a scope, every page of its list. Throws if a page shows another total than the first. */
  rows(scope: ScopeDefinition, query?: string): Promise<Row[]>;
  /** The same rows in full, each from its own endpoint; unchanged if there is no such endpoint. */
  inFull(scope: ScopeDefinition, rows: readonly Row[]): Promise<Row[]>;
}

interface Page {
  data: Row[];
  pagination?: { total: number; has_more: boolean };
}

export const readerOf = async (connection: Connection): Promise<Reader> => {
  const caller: Credential = bearer((await keyOf(connection.organizationId)).token);
  const ask = async (
    path: string,
    params: Record<string, string>,
    query: string,
  ): Promise<Page & { data: unknown }> => {
    const contract = ENDPOINTS.find((endpoint) => endpoint.path === path && endpoint.method === 'GET');
    if (!contract) throw new Error(`there is no GET ${path}`);
    const answer = await call(contract, await handlerOf(contract.id), { ...caller, params, query });
    if (answer.status === 404 && answer.body.error.code === 'licitacion_not_found') return { data: [] };
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const pages = async (path: string, params: Record<string, string>, query: string): Promise<Row[]> => {
    const rows: Row[] = [];
    for (;;) {
      const page = await ask(path, params, `limit=${PAGE_ROWS}&offset=${rows.length}&${query}`);
      rows.push(...page.data);
      if (!page.pagination?.has_more) {
        const total = page.pagination?.total ?? rows.length;
        if (total !== rows.length) throw new Error(`${path}: ${rows.length} rows on its pages, total ${total}`);
        return rows;
      }
    }
  };
  const codigos = (connection.metadata as { codigos?: string[] }).codigos ?? [];
  const ofTenders = async (scope: ScopeDefinition): Promise<Row[]> => {
    const path = '/procurement/licitaciones/{codigo}';
    const lists = await Promise.all(
      codigos.map(async (codigo) =>
        scope.name === 'licitaciones'
          ? [(await ask(path, { codigo }, '')).data].flat()
          : pages(`${path}/${scope.name}`, { codigo }, ''),
      ),
    );
    return lists.flat() as Row[];
  };
  const document = async ({ resource, document }: ScopeDefinition, row: Row): Promise<Row> => {
    if (document === null) return row;
    const path = `/connections/{id}/${resource}/{${document.idParam}}`;
    return (await ask(path, { id: connection.id, [document.idParam]: String(row.id) }, '')).data as unknown as Row;
  };
  return {
    inFull: async (scope, rows) => {
      const documents: Row[] = [];
      for (const few of chunks(rows, AT_ONCE))
        documents.push(...(await Promise.all(few.map((row) => document(scope, row)))));
      return documents;
    },
    rows: (scope, query = '') =>
      scope.resource === null
        ? ofTenders(scope)
        : pages(`/connections/{id}/${scope.resource}`, { id: connection.id }, query),
  };
};

export interface Tally {
  count: number;
  sums: Record<string, string>;
}

const tally = (rows: readonly Row[], fields: readonly string[]): Tally => ({
  count: rows.length,
  sums: Object.fromEntries(
    fields.map((field) => {
      const sum = rows.reduce((total, row) => {
        // A field that no row has would sum to zero, which could equal the ledger by chance.
        if (!(field in row)) throw new Error(`rows have no field ${field}`);
        return row[field] === null ? total : total.plus(String(row[field]));
      }, Big(0));
      return [field, sum.toFixed()];
    }),
  ),
});

const exact = ({ count, sums }: Tally): Tally => ({
  count,
  sums: Object.fromEntries(Object.entries(sums).map(([field, sum]) => [field, Big(sum).toFixed()])),
});

/** Amounts that the ledger of a scope sums up. */
export const summedFields = (scope: ScopeDefinition, ledger: Ledger): string[] => [
  ...new Set(Object.values(ledger[scope.name] ?? {}).flatMap(({ sums }) => Object.keys(sums))),
];

/** Period (or `now`) → the rows read and the institution's figures. Periods without both are left out. */
export const besideLedger = (
  scope: ScopeDefinition,
  rows: readonly Row[],
  ledger: Ledger,
): Map<string, { ours: Tally; theirs: Tally }> => {
  const held = ledger[scope.name];
  if (!held) throw new Error(`the ledger does not speak of ${scope.name}`);
  const fields = summedFields(scope, ledger);
  const books = Map.groupBy(rows, (row) => (scope.periodic ? String(row.period) : NOW));
  const units = new Set([...books.keys(), ...Object.keys(held)]);
  const none: Tally = { count: 0, sums: Object.fromEntries(fields.map((field) => [field, '0'])) };
  return new Map(
    [...units].sort().map((unit) => {
      const theirs = held[unit] ?? none;
      const ours = tally(books.get(unit) ?? [], fields);
      return [unit, { ours, theirs: exact({ count: theirs.count, sums: { ...none.sums, ...theirs.sums } }) }];
    }),
  );
};
