/** The steps of an integrator, made only with HTTP requests. */

import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import type { SyncRunWithInput } from '#shared/http/views/sync-run.ts';
import type { ConnectionId } from '#shared/values/ids.ts';
import type { Ledger, LedgerRow } from './totals.ts';

const POLL_MS = 250;
const WAIT_TIMEOUT_MS = 300_000;
const PAGE_ROWS = 200;
const DOCUMENTS_AT_A_TIME = 8;

export type Run = z.infer<typeof SyncRunWithInput>;

/** Addresses and keys of a stack; the local stack's file has this form. */
export interface DemoStack {
  /** Base URL of the API, up to `/api`. */
  api: string;
  api_key: string;
  session: string;
  /**
   * URL of the inbox that receives and lists webhooks; absent for a deployed stage, because only the local stack has an
   * inbox.
   */
  inbox?: string;
  /** Source → a login at the sandbox, and the metadata of a connection to it. */
  sandbox: Readonly<Record<string, { credentials: Record<string, unknown>; metadata: Record<string, unknown> }>>;
}

export interface Demonstration {
  stack: DemoStack;
  /** Resolves with the institution's own data. */
  ledgerOf(source: string): Promise<Ledger>;
}

export interface ScopeData {
  name: string;
  /** Path of the scope's list; null when the rows have no path below the connection. */
  data_url: string | null;
}

interface DemoCall {
  method?: string;
  body?: unknown;
  as?: 'key' | 'session';
}

export const call = async <T>(
  stack: DemoStack,
  path: string,
  { method = 'GET', body, as = 'key' }: DemoCall = {},
): Promise<T> => {
  const credential: Record<string, string> =
    as === 'key' ? { authorization: `Bearer ${stack.api_key}` } : { cookie: `sb-access-token=${stack.session}` };
  const answer = await fetch(`${stack.api}${path}`, {
    method,
    headers: { ...credential, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
};

export const until = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
  const deadline = performance.now() + WAIT_TIMEOUT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`no result in time: ${what}`);
    await sleep(POLL_MS);
  }
};

/** Creates one webhook endpoint for the inbox, unless it exists. */
export const subscribe = async (stack: DemoStack): Promise<void> => {
  if (stack.inbox === undefined) return;
  const { data } = await call<{ data: { url: string; enabled: boolean }[] }>(stack, '/webhooks');
  if (data.some(({ url, enabled }) => url === stack.inbox && enabled)) return;
  const body = { url: stack.inbox, event_types: ['sync.succeeded', 'sync.partial', 'sync.failed'] };
  await call(stack, '/webhooks', { method: 'POST', body });
};

const supportedScopes = async (stack: DemoStack, source: string): Promise<string[]> => {
  const { data } = await call<{ data: { code: string; supported_scopes: string[] }[] }>(stack, '/external-sources');
  return data.find(({ code }) => code === source)?.supported_scopes ?? [];
};

/** Connects the source with the named scopes, or with all scopes when none are named. */
export const connect = async (stack: DemoStack, source: string, scopes?: string[]): Promise<string> => {
  const sandbox = stack.sandbox[source];
  if (!sandbox) throw new Error(`there is no sandbox for ${source}: another server replaces it`);
  const body = {
    external_source_code: source,
    name: `Demo ${source}`,
    enabled_scopes: scopes ?? (await supportedScopes(stack, source)),
    credentials: sandbox.credentials,
    metadata: sandbox.metadata,
  };
  return (await call<{ id: string }>(stack, '/connections', { method: 'POST', body, as: 'session' })).id;
};

/** @param metadata what to synchronize; when absent, the API chooses the data of a first sync */
export const synchronize = async (
  stack: DemoStack,
  connectionId: ConnectionId,
  onProgress: (line: string) => void,
  metadata?: Record<string, unknown>,
): Promise<Run> => {
  const path = `/connections/${connectionId}`;
  const start = { method: 'POST', ...(metadata ? { body: { metadata } } : {}) };
  const { sync_id: id } = await call<{ sync_id: string }>(stack, `${path}/sync`, start);
  let shown = '';
  return until('the run', async () => {
    const { data: run } = await call<{ data: Run }>(stack, `${path}/sync-runs/${id}`);
    const line = run.progress ? [run.progress.stage, run.progress.message].filter(Boolean).join(': ') : '';
    if (line !== '' && line !== shown) onProgress(line);
    shown = line;
    return run.finished_at === null ? undefined : run;
  });
};

export const readScopes = async (stack: DemoStack, connectionId: ConnectionId): Promise<ScopeData[]> =>
  (await call<{ data: { scopes: ScopeData[] } }>(stack, `/connections/${connectionId}`)).data.scopes;

/** @param path path of a list, with or without `/api` at the beginning */
export const readAllRows = async (stack: DemoStack, path: string): Promise<LedgerRow[]> => {
  const rows: LedgerRow[] = [];
  for (;;) {
    const page = await call<{ data: LedgerRow[]; pagination: { has_more: boolean; total: number } }>(
      stack,
      `${path.replace(/^\/api\//, '/')}?limit=${PAGE_ROWS}&offset=${rows.length}`,
    );
    rows.push(...page.data);
    if (!page.pagination.has_more) return rows;
  }
};

/** Reads the full document of each row from the row's own path below the list's path, a few rows at a time. */
export const readInFull = async (stack: DemoStack, path: string, rows: readonly LedgerRow[]): Promise<LedgerRow[]> => {
  const full: LedgerRow[] = [];
  for (let at = 0; at < rows.length; at += DOCUMENTS_AT_A_TIME) {
    const batch = rows.slice(at, at + DOCUMENTS_AT_A_TIME).map(({ id }) => `${path.replace(/^\/api\//, '/')}/${id}`);
    const answers = await Promise.all(batch.map((each) => call<{ data: LedgerRow }>(stack, each)));
    full.push(...answers.map(({ data }) => data));
  }
  return full;
};

/** Reads the rows of the list `scope` below a tender. */
export const readTender = (stack: DemoStack, codigo: string, scope: string): Promise<LedgerRow[]> =>
  readAllRows(stack, `/procurement/licitaciones/${codigo}/${scope}`);

export const verifiedWebhook = async (inbox: string, runId: string): Promise<{ type: string; id: string }> =>
  until('the webhook', async () => {
    const { data } = (await (await fetch(inbox)).json()) as {
      data: { headers: Record<string, string>; body: string; verified: boolean; reason: string | null }[];
    };
    const item = data.find(({ body }) => body.includes(runId));
    if (!item) return undefined;
    if (!item.verified) throw new Error(`the webhook did not verify: ${item.reason}`);
    return { type: JSON.parse(item.body).type, id: item.headers['webhook-id'] ?? '' };
  });
