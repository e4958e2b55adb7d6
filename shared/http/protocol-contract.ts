/**
 * An endpoint that speaks a standard of its own (OAuth 2.1, MCP): pure data, as `contract.ts`. Bodies of requests, answers
 * and errors are the standard's, so that the description of the API does not tell of it.
 */
import type { Need } from '#shared/platform/needs.ts';

export interface ProtocolRoute {
  method: 'GET' | 'POST';
  /** From the origin on, e.g. `/api/oauth/token`. Every other method of the path is answered 405. */
  path: `/${string}`;
}

export interface ProtocolContract {
  kind: 'protocol';
  id: string;
  routes: readonly ProtocolRoute[];
  summary: string;
  /** A larger body is answered 413 with `failures.tooLarge`, before the logic sees the request. */
  bodyBytesMax: number;
  /** May an answer hold a token? Such answers are never packed. */
  showsSecrets: boolean;
  /** Bodies, as the standard has them, of what no logic answers: 413, and 500 for every error that is no `ProtocolError`. */
  failures: Readonly<Record<'internal' | 'tooLarge', Readonly<Record<string, unknown>>>>;
  /** All of them: nobody is authenticated here but by the logic itself. */
  needs: readonly Need[];
}

export const defineProtocolEndpoint = <const C extends Omit<ProtocolContract, 'kind'>>(
  contract: C,
): C & { kind: 'protocol' } => ({ ...contract, kind: 'protocol' });
