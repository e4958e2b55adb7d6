/**
 * Logic of all endpoints that read a scope's rows. Reading never starts a sync (service.md "What the service does").
 */

import * as connections from '#shared/connections/connection.store.ts';
import type { Answer, Caller } from '#shared/http/endpoint.ts';
import { type ApiError, type ErrorCode, notFound } from '#shared/http/response/errors.ts';
import { rowsIn, type Summary } from '#shared/rows/index/summary.ts';
import { readChildPage } from '#shared/rows/item/child-rows.store.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { readLatest } from '#shared/rows/read/read-latest.store.ts';
import { findConnectionWithSummary, readDocument, readPage, readPeriods } from '#shared/rows/read/read-page.store.ts';
import type { RowFilter } from '#shared/rows/read/row-page.ts';
import { LISTS } from '#shared/scopes/lists.gen.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { mustGet } from '#shared/values/must-get.ts';
import { toPage } from './pagination.ts';

export interface ReadInput {
  caller: Pick<Caller, 'organizationId'>;
  params: { id: string };
}

interface ListedPage {
  limit: number;
  offset: number;
}

/** The filters of a list by period, in addition to its facets. */
export interface Filters {
  period?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
}

interface ListQuery extends ListedPage, Filters {}

interface BalanceQuery extends ListedPage {
  latest?: true | undefined;
  currency?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export const buildAddress = ({ caller, params }: ReadInput, scope: ScopeDefinition): ScopeAddress => ({
  organizationId: caller.organizationId,
  connectionId: params.id,
  scope: scope.name,
});

/** Returns the error for a list of another source: an empty list would look like a company without rows. */
export const otherSource = (source: string): ApiError => {
  return notFound(
    'scope_not_found',
    `This connection is of ${source}. Its lists: ${(LISTS[source] ?? []).join(', ')}.`,
  );
};

/** @throws ApiError 404 for an unknown connection, or for a list of another source */
export const findListSummary = async (address: ScopeAddress, scope: ScopeDefinition): Promise<Summary> => {
  const { connection, summary } = await findConnectionWithSummary(address, scope);
  if (!connection) throw notFound('connection_not_found');
  if (connection.source !== scope.source) throw otherSource(connection.source);
  return summary;
};

export const readFilter = ({ period, from, to, q, ...facets }: Filters): RowFilter => ({
  period: period ?? null,
  q,
  facets,
  days: { from: from ?? null, to: to ?? null },
});

/**
 * Returns a page of rows and the total, for a list that can be filtered by period. The rows do not have the form of an
 * answer yet.
 */
export const readRows = async (
  scope: ScopeDefinition,
  input: ReadInput & { query: ListQuery },
): Promise<{ rows: Row[]; total: number }> => {
  const { limit, offset, ...filters } = input.query;
  const filter = readFilter(filters);
  const address = buildAddress(input, scope);
  const summary = await findListSummary(address, scope);
  return readPage({ address, scope, filter, offset, limit }, summary);
};

/**
 * Reads balances. With `latest`, all latest balances are returned and `limit` and `offset` have no effect (decisions.md
 * §7).
 */
export const readBalances = async (
  scope: ScopeDefinition,
  input: ReadInput & { query: BalanceQuery },
): Promise<{ rows: Row[]; total: number }> => {
  const { latest, currency, from, to, limit, offset } = input.query;
  const facets = { currency: currency?.toUpperCase() };
  const days = { from: from ?? null, to: to ?? null };
  const address = buildAddress(input, scope);
  const summary = await findListSummary(address, scope);
  if (!latest) return readPage({ address, scope, filter: { period: null, facets, days }, offset, limit }, summary);
  const rows = await readLatest(address, scope, { facets, days }, summary);
  return { rows, total: rows.length };
};

export const listRows =
  (scope: ScopeDefinition) =>
  async (input: ReadInput & { query: ListQuery }): Promise<Answer> => {
    const { rows, total } = await readRows(scope, input);
    return { status: 200, body: toPage(rows, total, input.query.limit, input.query.offset) };
  };

/**
 * Returns the logic of a list of balances. With `latest=true`, the answer contains all rows without pages, and `limit`
 * and `offset` are validated but have no effect.
 */
export const listBalances =
  (scope: ScopeDefinition) =>
  async (input: ReadInput & { query: BalanceQuery }): Promise<Answer> => {
    const { rows, total } = await readBalances(scope, input);
    const { latest, limit, offset } = input.query;
    return { status: 200, body: latest ? { data: rows } : toPage(rows, total, limit, offset) };
  };

/** Returns months with their number of rows, newest first. */
export const countPeriods = async (
  scope: ScopeDefinition,
  input: ReadInput,
): Promise<{ period: string; rows: number }[]> => {
  const summary = await findListSummary(buildAddress(input, scope), scope);
  return readPeriods(summary).map((period) => ({ period, rows: rowsIn(mustGet(summary, period)) }));
};

export const listPeriods =
  (scope: ScopeDefinition) =>
  async (input: ReadInput): Promise<Answer> => {
    const summary = await findListSummary(buildAddress(input, scope), scope);
    return { status: 200, body: { data: readPeriods(summary) } };
  };

const isFrom = async ({ caller, params }: ReadInput, scope: ScopeDefinition): Promise<boolean> => {
  const connection = await connections.find(caller.organizationId, params.id);
  if (!connection) throw notFound('connection_not_found');
  return connection.source === scope.source;
};

/**
 * Returns a full document.
 *
 * @throws ApiError 404 for an unknown connection, or with `code` for an unknown document
 */
export const readFound = async (
  scope: ScopeDefinition,
  input: ReadInput,
  id: string,
  code: ErrorCode,
): Promise<Row> => {
  const [isOfSource, document] = await Promise.all([
    isFrom(input, scope),
    readDocument(buildAddress(input, scope), scope, id),
  ]);
  if (!isOfSource || !document) throw notFound(code);
  return document;
};

export const getDocument =
  (scope: ScopeDefinition, param: string, code: ErrorCode) =>
  async (input: ReadInput & { params: Record<string, string> }): Promise<Answer> => ({
    status: 200,
    body: { data: await readFound(scope, input, input.params[param]!, code) },
  });

/** Lists the child rows of a row, e.g. the payments of a batch. */
export const listParts =
  (scope: ScopeDefinition, param: string, code: ErrorCode) =>
  async (input: ReadInput & { params: Record<string, string>; query: ListedPage }): Promise<Answer> => {
    const { limit, offset } = input.query;
    const [isOfSource, page] = await Promise.all([
      isFrom(input, scope),
      readChildPage(buildAddress(input, scope), input.params[param]!, offset, limit),
    ]);
    if (!isOfSource || !page) throw notFound(code);
    return { status: 200, body: toPage(page.rows, page.total, limit, offset) };
  };
