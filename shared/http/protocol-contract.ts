/**
 * Contract of an endpoint that follows a public standard (OAuth 2.1, MCP). It is pure data, like `contract.ts`. The
 * standard defines requests, answers and errors, so the description of the API omits them.
 */
import type { Need } from '#shared/platform/needs.ts';

export interface ProtocolRoute {
  method: 'GET' | 'POST' | 'OPTIONS';
  /** Path after the origin, e.g. `/api/oauth/token`. A request to this path with any other method gets 405. */
  path: `/${string}`;
}

export interface ProtocolContract {
  kind: 'protocol';
  id: string;
  routes: readonly ProtocolRoute[];
  summary: string;
  /** A larger body gets 413 with `failures.tooLarge` before the logic sees the request. */
  bodyBytesMax: number;
  /** True if an answer may contain a token. Such answers are never compressed. */
  showsSecrets: boolean;
  /**
   * Bodies, in the standard's form, of the answers that are sent without the logic: 413, and 500 or 503 for every error
   * that is not a `ProtocolError`.
   */
  failures: Readonly<Record<'internal' | 'tooLarge', Readonly<Record<string, unknown>>>>;
  /**
   * All needs of the endpoint. No needs are added for authentication, because here only the logic authenticates
   * callers.
   */
  needs: readonly Need[];
}

/**
 * Returns the route and the one by which a browser asks first. A contract with such a route is open to pages of any
 * origin, without credentials.
 */
export const forPages = (method: 'GET' | 'POST', path: `/${string}`): ProtocolRoute[] => [
  { method, path },
  { method: 'OPTIONS', path },
];

export const defineProtocolEndpoint = <const C extends Omit<ProtocolContract, 'kind'>>(
  contract: C,
): C & { kind: 'protocol' } => ({ ...contract, kind: 'protocol' });
