/** The API of the same origin, typed by its own description. The cookie is the browser's business. */
import createClient from 'openapi-fetch';
import type { components, paths } from '../../../docs/examples/api-types.gen.ts';
import { LostConnection, toRefusal } from './refusal.ts';

export type Schemas = components['schemas'];
export type Connection = Schemas['Connection'];
export type SyncRun = Schemas['SyncRun'];

const BASE = '/api';

/** Asked for at the call, so that a test's stand-in is used. */
export const request = async (input: Request | string, init?: RequestInit): Promise<Response> => {
  try {
    return await fetch(input, init);
  } catch (error) {
    // Ended by whoever asked: not a lost connection.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new LostConnection(error);
  }
};

export const api = createClient<paths>({ baseUrl: BASE, fetch: request });

/** The body of an answer that is a success. @throws Refusal, LostConnection */
export const must = async <T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> => {
  const { data, error, response } = await call;
  if (!response.ok || data === undefined) throw toRefusal(response, error);
  return data;
};

/**
 * A resource whose path is data, as a scope's `data_url` is (`/api/connections/…`). Prefer `api` wherever the path is
 * known. @throws Refusal, LostConnection
 */
export const readJson = async <T>(
  path: string,
  query: URLSearchParams,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> => {
  const url = query.size === 0 ? path : `${path}?${query}`;
  const response = await request(url, {
    headers: { accept: 'application/json', ...headers },
    ...(signal ? { signal } : {}),
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toRefusal(response, body);
  return body as T;
};
