/**
 * What an endpoint is: pure data, read by infra, OpenAPI, the local runner and tests without loading the handler.
 * `auth`, `errors` and `needs` are required fields: an endpoint without them does not compile.
 */
import type * as z from 'zod';
import type { Need } from '#shared/platform/needs.ts';
import type { ErrorCode } from './errors.ts';

/**
 * Who may call (decisions.md §2):
 * `public` anyone, credentials are not even looked at; `read` API key, session, OAuth access token;
 * `manage` API key or session; `session` session alone; `key` API key alone.
 */
export type Auth = 'public' | 'read' | 'manage' | 'session' | 'key';

/**
 * How a path id is judged. `unknown`: whatever is not a UUID is answered as an unknown one, with this code.
 * `uuid`: must be a UUID, else 400. `text`: taken as it is.
 */
export type PathParam = { unknown: ErrorCode } | { uuid: true } | { text: true };

export interface EndpointContract {
  kind: 'endpoint';
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api`, e.g. `/connections/{id}`. */
  path: string;
  tag: string;
  summary: string;
  description: string;
  auth: Auth;
  params: Readonly<Record<string, PathParam>>;
  /** Strict: an unknown or repeated parameter is refused. Without one, unknown parameters are ignored. */
  query: z.ZodObject | null;
  /** Are unknown and repeated query parameters refused? Yes on lists of synchronized data. */
  strictQuery: boolean;
  body: z.ZodObject | null;
  /** May the body be absent or empty? */
  bodyOptional: boolean;
  responses: Readonly<Record<number, z.ZodType>>;
  errors: readonly ErrorCode[];
  needs: readonly Need[];
}

type Defaulted = 'kind' | 'params' | 'query' | 'strictQuery' | 'body' | 'bodyOptional';
type EndpointInput = Omit<EndpointContract, Defaulted> & Partial<Omit<EndpointContract, 'kind'>>;

type WithDefaults<E extends EndpointInput> = Omit<EndpointContract, keyof E> & E & { kind: 'endpoint' };

export const defineEndpoint = <const E extends EndpointInput>(endpoint: E): WithDefaults<E> =>
  ({
    kind: 'endpoint',
    params: {},
    query: null,
    strictQuery: false,
    body: null,
    bodyOptional: false,
    ...endpoint,
  }) as unknown as WithDefaults<E>;
