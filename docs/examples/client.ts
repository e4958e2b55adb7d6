/**
 * A client made of the API's own description: paths, parameters, bodies and answers are checked when this compiles.
 * `npm run types` writes `api-types.gen.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api-types.gen.ts';

export type Api = Client<paths>;
export type Run = components['schemas']['SyncRunWithInput'];

/** A program has an API key. A session is of a person: connecting and disconnecting need one. */
export type Credential = { apiKey: string } | { session: string };

const headersOf = (credential: Credential): Record<string, string> =>
  'apiKey' in credential
    ? { authorization: `Bearer ${credential.apiKey}` }
    : { cookie: `sb-access-token=${credential.session}` };

/** @param baseUrl ends in `/api`, no slash after it */
export const createApi = (baseUrl: string, credential: Credential): Api =>
  createClient<paths>({ baseUrl, headers: headersOf(credential) });

/** An answer that is no success. `code` is stable, the message is for people; the request id is what support asks for. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor({ status, headers }: Response, answer: unknown) {
    // Where the gateway itself answers there is no code: `{message}`.
    const { error } = answer as Partial<components['schemas']['ErrorResponse']>;
    super(`${status} ${error?.code ?? ''}: ${error?.message ?? ''} (request ${headers.get('x-request-id')})`);
    this.name = 'Refused';
    this.status = status;
    this.code = error?.code;
  }
}

/** The body of an answer that is a success. Throws `Refused` for any other. */
export const must = async <T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> => {
  const { data, error, response } = await call;
  if (data === undefined) throw new Refused(response, error ?? {});
  return data;
};

const POLL_MS = 500;

/** The run once it is over. Reading it is cheap; a webhook (`receiver.ts`) tells the same without asking. */
export const waitForRun = async (
  api: Api,
  path: { id: string; runId: string },
  onProgress: (text: string) => void,
): Promise<Run> => {
  for (let told = ''; ; ) {
    const { data: run } = await must(api.GET('/connections/{id}/sync-runs/{runId}', { params: { path } }));
    if (run.finished_at !== null) return run;
    const text = run.progress?.message ?? run.status ?? '';
    if (text !== told) onProgress(text);
    told = text;
    await sleep(POLL_MS);
  }
};

const PAGE_ROWS = 200;

interface Page<R> {
  data: R[];
  pagination?: { has_more: boolean };
}

/** Every row of a paginated list, page by page. */
export async function* rowsOf<R>(
  read: (query: { limit: number; offset: number }) => Promise<Page<R>>,
): AsyncGenerator<R> {
  for (let offset = 0, more = true; more; offset += PAGE_ROWS) {
    const { data, pagination } = await read({ limit: PAGE_ROWS, offset });
    yield* data;
    more = pagination?.has_more ?? false;
  }
}
