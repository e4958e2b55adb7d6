/**
 * The client for the API at the page's own origin, with types from the API description. The browser handles the cookie.
 */
import createClient from 'openapi-fetch';
import type { components, paths } from '../../../docs/examples/api-types.gen.ts';
import { LostConnection, toRefusal } from './refusal.ts';

export type Schemas = components['schemas'];
export type Connection = Schemas['Connection'];
export type SyncRun = Schemas['SyncRun'];

const BASE = '/api';

/**
 * Sends a request and converts a failure to LostConnection. It reads the global `fetch` at each call, so that a test
 * can replace `fetch`.
 */
export const request = async (input: Request | string, init?: RequestInit): Promise<Response> => {
  try {
    return await fetch(input, init);
  } catch (error) {
    // The caller aborted the request, so the connection is not lost.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new LostConnection(error);
  }
};

export const api = createClient<paths>({ baseUrl: BASE, fetch: request });

/** Returns the body of a successful response. @throws ApiRefusal, LostConnection */
export const must = async <T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> => {
  const { data, error, response } = await call;
  if (!response.ok || data === undefined) throw toRefusal(response, error);
  return data;
};

/**
 * Reads a resource whose path comes from data, such as a scope's `data_url` (`/api/connections/…`). If the path is
 * known, use `api` instead. @throws ApiRefusal, LostConnection
 */
export const readJson = async <T>(path: string, query: URLSearchParams, signal?: AbortSignal): Promise<T> => {
  const url = query.size === 0 ? path : `${path}?${query}`;
  const response = await request(url, {
    headers: { accept: 'application/json' },
    ...(signal ? { signal } : {}),
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toRefusal(response, body);
  return body as T;
};
