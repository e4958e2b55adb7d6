/**
 * What an endpoint is: pure data, read by infra, OpenAPI, the local runner and tests without loading the handler.
 * `auth`, `errors` and `needs` are required fields: an endpoint without them does not compile.
 */
import * as z from 'zod';
import type { ErrorCode } from '#shared/http/response/errors.ts';
import type { Need } from '#shared/platform/needs.ts';

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
  /** `ANY` only together with the path `$default`: whatever no other route takes. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
  /** Below `basePath`, e.g. `/connections/{id}`; or `$default`. */
  path: string;
  /** Only what people open in a browser lies outside `/api`; it is no part of the description. */
  basePath: '/api' | '';
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
  /** Properties of the body whose findings have a code of their own instead of `validation_error`. */
  bodyCodes: Readonly<Record<string, ErrorCode>>;
  /** Property that others send at the top of the body → the property that it belongs in. */
  bodyHints: Readonly<Record<string, string>>;
  /** May the body be absent or empty? */
  bodyOptional: boolean;
  /**
   * Where a 2xx answer shows a secret once: what the request did, before the resource's id, e.g. `made the API key`. The
   * answer is not kept under an Idempotency-Key; a repeat is told these words (decisions.md §1).
   */
  secretResponse: string | null;
  /** Is `Idempotency-Key` honoured where it is a POST? Not where a kept answer would be a kept secret. */
  takesIdempotencyKey: boolean;
  responses: Readonly<Record<number, z.ZodType>>;
  /** Codes the logic itself may answer; `answerableCodes` of `error-codes.ts` adds what follows from the other fields. */
  errors: readonly ErrorCode[];
  /** What a browser may load for an answer that is a page; null for data, which load nothing. */
  contentSecurityPolicy: Readonly<Record<string, string>> | null;
  needs: readonly Need[];
}

/** Schema of an answer without body: a redirect, or nothing new. */
export const NO_BODY = z.undefined();

/** Schema of an answer that is no JSON: sent as it is, in the content type that the answer names. */
export const bytes = () => z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** Path as called, parameters still in braces. */
export const fullPath = ({ basePath, path }: Pick<EndpointContract, 'basePath' | 'path'>): string =>
  `${basePath}${path}`;

const DEFAULTS = {
  basePath: '/api',
  params: {},
  query: null,
  strictQuery: false,
  body: null,
  bodyCodes: {},
  bodyHints: {},
  bodyOptional: false,
  secretResponse: null,
  takesIdempotencyKey: true,
  contentSecurityPolicy: null,
} as const;

type Defaults = typeof DEFAULTS;
type EndpointInput = Omit<EndpointContract, 'kind' | keyof Defaults> & Partial<EndpointContract>;
type WithDefaults<E extends EndpointInput> = Omit<Defaults, keyof E> & Omit<E, 'needs'> & CommonFields;
interface CommonFields {
  kind: 'endpoint';
  needs: readonly Need[];
}

/** Does a repeat under the same `Idempotency-Key` get the first answer again? */
export const isRepeatable = ({
  method,
  takesIdempotencyKey,
}: Pick<EndpointContract, 'method' | 'takesIdempotencyKey'>): boolean => method === 'POST' && takesIdempotencyKey;

/** Every authenticated endpoint looks its caller up and stamps `last_used_at`. */
const AUTHENTICATION_NEEDS: readonly Need[] = ['table:read', 'table:stamp'];

export const defineEndpoint = <const E extends EndpointInput>(endpoint: E): WithDefaults<E> => ({
  ...DEFAULTS,
  ...endpoint,
  kind: 'endpoint',
  needs: [...new Set([...(endpoint.auth === 'public' ? [] : AUTHENTICATION_NEEDS), ...endpoint.needs])],
});
