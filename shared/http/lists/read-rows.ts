/**
 * Logic of everything that reads a scope's rows. Reading never starts a sync (service.md "What the service does"). Data
 * of another source than the connection's are as empty as those that were never synchronized.
 */
import * as connections from '#shared/connections/connection.store.ts';
import type { Answer, Caller } from '#shared/http/endpoint.ts';
import { type ErrorCode, notFound } from '#shared/http/response/errors.ts';
import { readChildPage } from '#shared/rows/child-rows.store.ts';
import { readLatest } from '#shared/rows/read-latest.store.ts';
import { findConnectionWithSummary, readDocument, readPage, readPeriods } from '#shared/rows/read-page.store.ts';
import type { RowFilter } from '#shared/rows/row-page.ts';
import type { ScopeAddress } from '#shared/rows/scope-address.ts';
import type { Summary } from '#shared/rows/summary.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { toPage } from './pagination.ts';

interface ReadInput {
  caller: Caller;
  params: { id: string };
}

interface Page {
  limit: number;
  offset: number;
}

interface ListQuery extends Page {
  period?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
}

interface BalanceQuery extends Page {
  latest?: true | undefined;
  currency?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const addressOf = ({ caller, params }: ReadInput, scope: ScopeDefinition): ScopeAddress => ({
  organizationId: caller.organizationId,
  connectionId: params.id,
  scope: scope.name,
});

const summaryOf = async (address: ScopeAddress, scope: ScopeDefinition): Promise<Summary> => {
  const { connection, summary } = await findConnectionWithSummary(address, scope);
  if (!connection) throw notFound('connection_not_found');
  return summary;
};

const pageOf = async (input: ReadInput, scope: ScopeDefinition, filter: RowFilter, page: Page): Promise<Answer> => {
  const address = addressOf(input, scope);
  const summary = await summaryOf(address, scope);
  const { rows, total } = await readPage({ address, scope, filter, offset: page.offset, limit: page.limit }, summary);
  return { status: 200, body: toPage(rows, total, page.limit, page.offset) };
};

export const listRows =
  (scope: ScopeDefinition) =>
  async (input: ReadInput & { query: ListQuery }): Promise<Answer> => {
    const { period, from, to, q, limit, offset, ...facets } = input.query;
    const filter = { period: period ?? null, q, facets, days: { from: from ?? null, to: to ?? null } };
    return pageOf(input, scope, filter, { limit, offset });
  };

/** `latest=true` answers without pages: `limit` and `offset` are judged and have no effect (decisions.md §7). */
export const listBalances =
  (scope: ScopeDefinition) =>
  async (input: ReadInput & { query: BalanceQuery }): Promise<Answer> => {
    const { latest, currency, from, to, limit, offset } = input.query;
    const filter = {
      period: null,
      facets: { currency: currency?.toUpperCase() },
      days: { from: from ?? null, to: to ?? null },
    };
    if (!latest) return pageOf(input, scope, filter, { limit, offset });
    const address = addressOf(input, scope);
    const summary = await summaryOf(address, scope);
    return { status: 200, body: { data: await readLatest(address, scope, filter, summary) } };
  };

export const listPeriods =
  (scope: ScopeDefinition) =>
  async (input: ReadInput): Promise<Answer> => {
    const summary = await summaryOf(addressOf(input, scope), scope);
    return { status: 200, body: { data: readPeriods(summary) } };
  };

const isFrom = async ({ caller, params }: ReadInput, scope: ScopeDefinition): Promise<boolean> => {
  const connection = await connections.find(caller.organizationId, params.id);
  if (!connection) throw notFound('connection_not_found');
  return connection.source === scope.source;
};

export const getDocument =
  (scope: ScopeDefinition, param: string, code: ErrorCode) =>
  async (input: ReadInput & { params: Record<string, string> }): Promise<Answer> => {
    const [isOfSource, document] = await Promise.all([
      isFrom(input, scope),
      readDocument(addressOf(input, scope), scope, input.params[param]!),
    ]);
    if (!isOfSource || !document) throw notFound(code);
    return { status: 200, body: { data: document } };
  };

/** Rows that belong to a row, e.g. the payments of a batch. */
export const listParts =
  (scope: ScopeDefinition, param: string, code: ErrorCode) =>
  async (input: ReadInput & { params: Record<string, string>; query: Page }): Promise<Answer> => {
    const { limit, offset } = input.query;
    const [isOfSource, page] = await Promise.all([
      isFrom(input, scope),
      readChildPage(addressOf(input, scope), input.params[param]!, offset, limit),
    ]);
    if (!isOfSource || !page) throw notFound(code);
    return { status: 200, body: toPage(page.rows, page.total, limit, offset) };
  };
