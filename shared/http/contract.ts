/**
 * Contract of an endpoint. It is pure data, which infra, OpenAPI, the local runner and tests read without loading the
 * handler. `auth`, `errors` and `needs` are required fields: an endpoint without them does not compile.
 */
import * as z from 'zod';
import type { ErrorCode } from '#shared/http/response/errors.ts';
import type { Need } from '#shared/platform/needs.ts';

/**
 * Who may call the endpoint (decisions.md §2). `public`: anyone, credentials are ignored. `read`: API key, session or
 * OAuth access token. `manage`: API key or session. `session`: only a session. `key`: only an API key.
 */
export type Auth = 'public' | 'read' | 'manage' | 'session' | 'key';

/**
 * How a path id is validated. `unknown`: any text that is not a UUID gets the same answer as an unknown id, with this
 * code. `uuid`: must be a UUID, otherwise 400. `text`: any text is accepted.
 */
export type PathParam = { unknown: ErrorCode } | { uuid: true } | { text: true };

export interface EndpointContract {
  kind: 'endpoint';
  id: string;
  /** `ANY` is used only with the path `$default`, which takes every request that no other route matches. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
  /** Path below `basePath`, e.g. `/connections/{id}`, or `$default`. */
  path: string;
  /**
   * Base path of the endpoint. Only pages that people open in a browser are outside `/api`. These pages are not in the
   * OpenAPI description.
   */
  basePath: '/api' | '';
  tag: string;
  summary: string;
  description: string;
  auth: Auth;
  /** True for a public endpoint that sets the session: pages of other origins are refused. */
  isForOwnPages: boolean;
  params: Readonly<Record<string, PathParam>>;
  /** Schema of the query. Null if the endpoint has no parameters. */
  query: z.ZodObject | null;
  body: z.ZodObject | null;
  /** Properties of the body whose validation errors have their own code instead of `validation_error`. */
  bodyCodes: Readonly<Record<string, ErrorCode>>;
  /** For each property that clients often send at the top level, the name of the property that must contain it. */
  bodyHints: Readonly<Record<string, string>>;
  /** True if the body may be absent or empty. */
  bodyOptional: boolean;
  /**
   * Text for an endpoint whose 2xx answer shows a secret once; null for all other endpoints. Such an answer is not
   * stored under its Idempotency-Key: a repeated request gets an error with this text and the id of the resource, e.g.
   * `made the API key` (decisions.md §1).
   */
  secretResponse: string | null;
  /** True if a POST accepts `Idempotency-Key`. False if storing the answer would store a secret. */
  takesIdempotencyKey: boolean;
  responses: Readonly<Record<number, z.ZodType>>;
  /**
   * Codes that the logic may return. `answerableCodes` of `error-codes.ts` adds the codes that follow from the other
   * fields.
   */
  errors: readonly ErrorCode[];
  /** Content security policy of an answer that is a page. Null for data. */
  contentSecurityPolicy: Readonly<Record<string, string>> | null;
  needs: readonly Need[];
}

/** Schema of an answer without a body, such as a redirect or 304. */
export const NO_BODY = z.undefined();

/** Schema of an answer that is not JSON. The answer is sent unchanged, in the content type that it names. */
export const bytes = () => z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/**
 * True if unknown and repeated query parameters are refused, so that a misspelled filter does not list everything. The
 * addresses of OAuth ignore unknown parameters (RFC 6749 §3.1), and so do pages for people and the route of unknown
 * paths.
 */
export const refusesUnknownQuery = ({ basePath, path }: Pick<EndpointContract, 'basePath' | 'path'>): boolean =>
  basePath === '/api' && path.startsWith('/') && !path.startsWith('/oauth/');

/** Returns the full path, with parameters in braces. */
export const fullPath = ({ basePath, path }: Pick<EndpointContract, 'basePath' | 'path'>): string =>
  `${basePath}${path}`;

const DEFAULTS = {
  basePath: '/api',
  isForOwnPages: false,
  params: {},
  query: null,
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

/** True if a repeated request with the same `Idempotency-Key` gets the first answer again. */
export const isRepeatable = ({
  method,
  takesIdempotencyKey,
}: Pick<EndpointContract, 'method' | 'takesIdempotencyKey'>): boolean => method === 'POST' && takesIdempotencyKey;

/** True if requests count as reads, whose number in a minute is limited (docs/adr/0040). */
export const isRead = ({
  method,
  auth,
  basePath = DEFAULTS.basePath,
}: Pick<EndpointInput, 'method' | 'auth' | 'basePath'>): boolean =>
  method === 'GET' && auth !== 'public' && basePath === DEFAULTS.basePath;

/** Every authenticated endpoint looks up its caller and stamps `last_used_at`. */
const AUTHENTICATION_NEEDS: readonly Need[] = ['table:read', 'table:stamp'];

export const defineEndpoint = <const E extends EndpointInput>(endpoint: E): WithDefaults<E> => ({
  ...DEFAULTS,
  ...endpoint,
  kind: 'endpoint',
  needs: [
    ...new Set([
      ...(endpoint.auth === 'public' ? [] : AUTHENTICATION_NEEDS),
      ...(isRead(endpoint) ? (['table:count'] as const) : []),
      ...endpoint.needs,
    ]),
  ],
});
