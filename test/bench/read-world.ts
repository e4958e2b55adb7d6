/** A connection with many rows, and its list as an integrator calls it: the whole function in this process. */

import { randomUUID } from 'node:crypto';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { nowIso } from '#shared/platform/clock.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { keyOf } from '#test/helpers/callers.ts';
import type { TestTable } from '#test/helpers/dynamo.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { context, eventOf, type Request } from '#test/helpers/http.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { fillScope } from './fill-scope.ts';

export interface ReadPage {
  /** Time until the function returned its answer, without the client's parsing of it. */
  ms: number;
  rows: number;
  total: number;
}

export interface ChangesRead {
  /** Time as for a page of the list. */
  ms: number;
  rows: number;
  cursor: string;
  hasMore: boolean;
}

export interface ReadWorld {
  server: TestTable;
  address: ScopeAddress;
  /** Filled periods, newest first. */
  periods: string[];
  rows: number;
  /** A page of the list as the key of this world requests it. */
  request: Pick<Request, 'path' | 'params' | 'query' | 'headers'>;
  /** The list, through the HTTP event, credential check included. */
  list(query: string): Promise<ReadPage>;
  /** A page of the changes of the connection, or of another connection of the organization. */
  changes(query: string, connectionId?: string): Promise<ChangesRead>;
}

export const newReadWorld = async (
  server: TestTable,
  scope: ScopeDefinition,
  operation: string,
  sizes: readonly number[],
): Promise<ReadWorld> => {
  // Everywhere else, answers are checked against their schemas.
  process.env.STAGE = 'prod';
  useSharedSecretIssuer();
  const organizationId = randomUUID();
  const connectionId = randomUUID();
  const { token } = await keyOf(organizationId);
  await connections.create(
    {
      organizationId,
      id: connectionId,
      source: scope.source,
      name: 'bench',
      enabledScopes: [scope.name],
      metadata: {},
      status: 'active',
      schedule: { enabled: false, frequencyMinutes: null, startsAt: null, revision: 0 },
      credentialsVersion: 1,
      openRuns: [],
      syncedScopes: [scope.name],
      lastSyncStatus: 'succeeded',
      lastSuccessfulSyncAt: nowIso(),
      createdAt: nowIso(),
    },
    new Uint8Array(),
    BY_SERVICE,
  );
  const address = { organizationId, connectionId, scope: scope.name };
  const periods = await fillScope(address, { scope, sizes });
  const headers = { authorization: `Bearer ${token}` };
  const pathOf = (what: string | null, id: string): string => `/api/connections/${id}/${what}`;
  const handlers = { list: await handlerOf(operation), changes: await handlerOf('list-changes') };
  const ask = async (what: 'list' | 'changes', query: string, id: string = connectionId) => {
    const path = pathOf(what === 'list' ? scope.resource : what, id);
    const event = eventOf({ method: 'GET', path, params: { id }, query, headers });
    const startedMs = performance.now();
    const { statusCode, body = '' } = await handlers[what](event, context);
    const ms = performance.now() - startedMs;
    if (statusCode !== 200) throw new Error(`the ${what} answer ${statusCode}: ${body.slice(0, 200)}`);
    return { ms, body: JSON.parse(body) };
  };
  return {
    server,
    address,
    periods,
    rows: sizes.reduce((sum, size) => sum + size, 0),
    request: {
      path: pathOf(scope.resource, connectionId),
      params: { id: connectionId },
      query: 'limit=50',
      headers,
    },
    list: async (query) => {
      const { ms, body } = await ask('list', query);
      return { ms, rows: body.data.length, total: body.pagination.total };
    },
    changes: async (query, id) => {
      const { ms, body } = await ask('changes', query, id);
      const { data, feed } = body;
      return { ms, rows: data.length, cursor: feed.next_cursor, hasMore: feed.has_more };
    },
  };
};
