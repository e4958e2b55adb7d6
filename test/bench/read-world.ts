/** A connection with many rows, and its list as an integrator calls it: the whole function in this process. */
import { randomUUID } from 'node:crypto';
import * as apiKeys from '#shared/auth/api-key.store.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import type { ScopeAddress } from '#shared/rows/scope-address.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { TestTable } from '#test/helpers/dynamo.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { context, eventOf } from '#test/helpers/http.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { fillScope } from './fill-scope.ts';

export interface ReadPage {
  /** Until the function had its answer; a client's reading of it is left out. */
  ms: number;
  rows: number;
  total: number;
}

export interface ReadChanges {
  ms: number;
  changes: number;
  cursor: string;
  hasMore: boolean;
}

export interface ReadWorld {
  server: TestTable;
  address: ScopeAddress;
  /** Filled ones, newest first. */
  periods: string[];
  rows: number;
  /** The list, over HTTP's event, credential check included. */
  list(query: string): Promise<ReadPage>;
  /** The change feed, in the same way; null: without a cursor. */
  changes(cursor: string | null): Promise<ReadChanges>;
}

/** Of a request for changes: the most that one may ask for. */
export const CHANGES_A_PAGE = 200;

export const newReadWorld = async (
  server: TestTable,
  scope: ScopeDefinition,
  operation: string,
  sizes: readonly number[],
): Promise<ReadWorld> => {
  // Answers are checked against their schemas everywhere but here.
  process.env.STAGE = 'prod';
  useSharedSecretIssuer();
  const organizationId = randomUUID();
  const connectionId = randomUUID();
  const { token } = await apiKeys.create(organizationId, {
    id: newId(),
    name: 'bench',
    expiresAt: null,
    createdAt: nowIso(),
  });
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
  );
  const address = { organizationId, connectionId, scope: scope.name };
  const periods = await fillScope(address, { scope, sizes });
  /** The body of an answer, and how long the function took. */
  const asker = async (name: string, resource: string) => {
    const handler = await handlerOf(name);
    const path = `/api/connections/${connectionId}/${resource}`;
    const headers = { authorization: `Bearer ${token}` };
    return async (query: string) => {
      const event = eventOf({ method: 'GET', path, params: { id: connectionId }, query, headers });
      const startedMs = performance.now();
      const { statusCode, body } = await handler(event, context);
      const ms = performance.now() - startedMs;
      const text = body ?? '';
      if (statusCode !== 200) throw new Error(`${name} answers ${statusCode}: ${text.slice(0, 200)}`);
      return { ms, answer: JSON.parse(text) };
    };
  };
  const askList = await asker(operation, `${scope.resource}`);
  const askChanges = await asker('list-changes', 'changes');
  return {
    server,
    address,
    periods,
    rows: sizes.reduce((sum, size) => sum + size, 0),
    list: async (query) => {
      const { ms, answer } = await askList(query);
      return { ms, rows: answer.data.length, total: answer.pagination.total };
    },
    changes: async (cursor) => {
      const { ms, answer } = await askChanges(`limit=${CHANGES_A_PAGE}${cursor === null ? '' : `&cursor=${cursor}`}`);
      const { next_cursor, has_more } = answer.feed;
      return { ms, changes: answer.data.length, cursor: next_cursor, hasMore: has_more };
    },
  };
};
