/**
 * Contract of an endpoint that follows another standard (OAuth 2.1, MCP): pure data, like `contract.ts`. Requests,
 * answers and errors are defined by the standard, so the description of the API omits them.
 */
import type { Need } from '#shared/platform/needs.ts';

export interface ProtocolRoute {
  method: 'GET' | 'POST';
  /** Path after the origin, e.g. `/api/oauth/token`. Every other method of the path gets 405. */
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
   * Bodies in the standard's form for answers without logic: 413, and 500 for every error that is not a
   * `ProtocolError`.
   */
  failures: Readonly<Record<'internal' | 'tooLarge', Readonly<Record<string, unknown>>>>;
  /** All needs of the endpoint. Only the logic itself authenticates callers here. */
  needs: readonly Need[];
}

export const defineProtocolEndpoint = <const C extends Omit<ProtocolContract, 'kind'>>(
  contract: C,
): C & { kind: 'protocol' } => ({ ...contract, kind: 'protocol' });
