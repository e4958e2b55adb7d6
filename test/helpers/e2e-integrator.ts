/**
 * An integrator of a running stack, with nothing but HTTP. It remembers every answer, so that a test can search all of
 * them for secrets.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import type { SyncRunWithInput } from '#shared/http/views/sync-run.ts';
import type { StackFile } from '#tools/local/stack-file.ts';

export type Run = z.infer<typeof SyncRunWithInput>;
export type Row = Record<string, string | null>;
export type As = 'key' | 'session' | 'token' | 'nobody';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
}

export interface Request {
  as?: As;
  body?: unknown;
  headers?: Record<string, string>;
  /** The answer shows a secret, once and on purpose. */
  showsSecret?: boolean;
}

/** The interval starts short, so that little is missed, and grows, so that polling stays cheap. */
const POLL_MS = 50;
const POLL_MS_MAX = 500;
const POLL_GROWTH = 1.15;
const DEADLINE_MS = 150_000;
const PAGE_ROWS = 200;

/** Polls until there is a result. Throws after a time limit in real time. */
export const until = async <T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  between: (ms: number) => Promise<unknown> = (ms) => sleep(ms),
): Promise<T> => {
  const deadline = performance.now() + DEADLINE_MS;
  for (let pauseMs = POLL_MS; ; pauseMs = Math.min(POLL_MS_MAX, pauseMs * POLL_GROWTH)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await between(pauseMs);
  }
};

/** Headers of this kind of caller. */
export const credential = (file: StackFile, as: As): Record<string, string> => {
  if (as === 'key') return { authorization: `Bearer ${file.api_key}` };
  if (as === 'token') return { authorization: `Bearer ${file.access_token}` };
  return as === 'session' ? { cookie: `sb-access-token=${file.session}` } : {};
};

export const createIntegrator = (file: StackFile) => {
  const answers: string[] = [];

  const call = async (method: string, path: string, request: Request = {}): Promise<Answer> => {
    const { as = 'key', body, headers = {}, showsSecret = false } = request;
    const response = await fetch(`${file.api}${path}`, {
      method,
      headers: {
        ...credential(file, as),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!showsSecret) answers.push(`${JSON.stringify([...response.headers])}\n${text}`);
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };

  /** The body of an answer that must have this status. */
  const must = async (status: number, method: string, path: string, request: Request = {}): Promise<Answer['body']> => {
    const answer = await call(method, path, request);
    if (answer.status === status) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
  };

  const get = async (path: string): Promise<Answer['body']> => (await must(200, 'GET', path)).data;

  const connect = async (credentials: Record<string, string>, name = 'Empresa de prueba'): Promise<string> => {
    const body = { external_source_code: 'tax', name, enabled_scopes: ['rcv'], credentials, metadata: {} };
    return (await must(201, 'POST', '/connections', { as: 'session', body })).id;
  };

  /** Id of the new run. */
  const sync = async (connectionId: string, periods?: readonly string[]): Promise<string> => {
    const body = periods === undefined ? undefined : { metadata: { periods } };
    return (await must(202, 'POST', `/connections/${connectionId}/sync`, { body })).sync_id;
  };

  const run = async (connectionId: string, runId: string): Promise<Run> =>
    get(`/connections/${connectionId}/sync-runs/${runId}`);

  /** The run after its end. `between` may move the clock. */
  const finished = (connectionId: string, runId: string, between?: () => Promise<unknown>): Promise<Run> =>
    until(
      'the end of the run',
      async () => {
        const now = await run(connectionId, runId);
        return now.finished_at !== null && now;
      },
      between,
    );

  const documents = (connectionId: string, query = ''): Promise<{ data: Row[]; pagination: Record<string, unknown> }> =>
    must(200, 'GET', `/connections/${connectionId}/tax-rcv-documents${query}`);

  /** Reads page by page. `query` has no limit and offset. */
  const allDocuments = async (connectionId: string, query = '', limit = PAGE_ROWS): Promise<Row[]> => {
    const rows: Row[] = [];
    for (;;) {
      const page = await documents(connectionId, `?limit=${limit}&offset=${rows.length}${query}`);
      rows.push(...page.data);
      if (!page.pagination.has_more) return rows;
    }
  };

  const subscribe = async (
    url = file.inbox,
    event_types = ['sync.succeeded', 'sync.partial', 'sync.failed'],
  ): Promise<{ id: string; secret: string }> =>
    (await must(201, 'POST', '/webhooks', { body: { url, event_types }, showsSecret: true })).data;

  return {
    file,
    answers,
    call,
    must,
    get,
    connect,
    sync,
    run,
    finished,
    documents,
    allDocuments,
    subscribe,
  };
};

export type Integrator = ReturnType<typeof createIntegrator>;
