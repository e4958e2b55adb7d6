/** Logic of everything that reads a scope's rows. Reading never starts a sync (service.md "What the service does"). */
import * as connections from '#shared/data/connections.ts';
import { findConnectionWithSummary, readDocument, readPage, readPeriods } from '#shared/data/row-pages.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { Answer, Caller } from './endpoint.ts';
import { type ErrorCode, notFound } from './errors.ts';
import { toPage } from './pagination.ts';

interface ReadInput {
  caller: Caller;
  params: { id: string };
}

interface ListQuery {
  limit: number;
  offset: number;
  period?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const addressOf = ({ caller, params }: ReadInput, scope: ScopeDefinition) => ({
  organizationId: caller.organizationId,
  connectionId: params.id,
  scope: scope.name,
});

export const listRows =
  (scope: ScopeDefinition) =>
  async (input: ReadInput & { query: ListQuery }): Promise<Answer> => {
    const { period, from, to, limit, offset, ...facets } = input.query;
    const address = addressOf(input, scope);
    const { connection, summary } = await findConnectionWithSummary(address);
    if (!connection) throw notFound('connection_not_found');
    const filter = { period: period ?? null, facets, days: { from: from ?? null, to: to ?? null } };
    const { rows, total } = await readPage(address, scope, filter, offset, limit, summary);
    return { status: 200, body: toPage(rows, total, limit, offset) };
  };

export const listPeriods =
  (scope: ScopeDefinition) =>
  async (input: ReadInput): Promise<Answer> => {
    const { connection, summary } = await findConnectionWithSummary(addressOf(input, scope));
    if (!connection) throw notFound('connection_not_found');
    return { status: 200, body: { data: readPeriods(summary) } };
  };

export const getDocument =
  (scope: ScopeDefinition, param: string, code: ErrorCode) =>
  async (input: ReadInput & { params: Record<string, string> }): Promise<Answer> => {
    const [connection, document] = await Promise.all([
      connections.find(input.caller.organizationId, input.params.id),
      readDocument(addressOf(input, scope), scope, input.params[param]!),
    ]);
    if (!connection) throw notFound('connection_not_found');
    if (!document) throw notFound(code);
    return { status: 200, body: { data: document } };
  };
