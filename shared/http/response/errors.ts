/**
 * The catalogue of HTTP error codes (decisions.md §1). A handler throws `ApiError` with a code; status and envelope
 * follow from it. Codes of runs and webhooks are separate: `shared/values/sync-errors.ts`.
 */
import { AppError } from '#shared/values/app-error.ts';
export const ERROR_STATUS = {
  validation_error: 400,
  invalid_json: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  connection_not_found: 404,
  sync_run_not_found: 404,
  scope_not_found: 404,
  coverage_not_found: 404,
  rcv_document_not_found: 404,
  dispatch_guide_not_found: 404,
  nomina_not_found: 404,
  licitacion_not_found: 404,
  documento_not_found: 404,
  api_key_not_found: 404,
  webhook_endpoint_not_found: 404,
  webhook_delivery_not_found: 404,
  grant_not_found: 404,
  connect_link_not_found: 404,
  connection_disabled: 409,
  connection_sync_in_progress: 409,
  webhook_endpoint_disabled: 409,
  webhook_delivery_not_failed: 409,
  webhook_limit_reached: 409,
  grant_limit_reached: 409,
  connect_link_limit_reached: 409,
  connect_link_busy: 409,
  authorization_changed: 409,
  idempotency_key_reused: 409,
  idempotency_key_in_progress: 409,
  cursor_expired: 410,
  connect_link_ended: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  sync_invalid_scopes: 422,
  sync_invalid_metadata: 422,
  schedule_invalid_frequency: 422,
  connection_other_company: 422,
  connect_link_other_login: 422,
  rate_limited: 429,
  internal_error: 500,
  temporarily_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export class ApiError extends AppError {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    code: ErrorCode,
    message: string,
    options: { status?: number; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    /** `validation_error` is 400 for path and query, 422 for a body (decisions.md §1). */
    this.status = options.status ?? ERROR_STATUS[code];
    this.headers = options.headers ?? {};
  }
}

/** An unknown id, a foreign one and one that was cut off get the same message. */
const withId = (text: string): string => `${text} An id is a UUID of 36 characters.`;

const NOT_FOUND_MESSAGES: Partial<Record<ErrorCode, string>> = {
  connection_not_found: withId('No connection with this id.'),
  sync_run_not_found: withId('No sync run with this id.'),
  coverage_not_found: 'No data about this month of this scope.',
  rcv_document_not_found: withId('No tax document with this id.'),
  dispatch_guide_not_found: withId('No dispatch guide with this id.'),
  nomina_not_found: withId('No payment batch with this id.'),
  licitacion_not_found: 'No tender with this code.',
  documento_not_found: withId('No document with this id, or its file could not be fetched.'),
  api_key_not_found: withId('No API key with this id.'),
  webhook_endpoint_not_found: withId('No webhook endpoint with this id.'),
  webhook_delivery_not_found: withId('No delivery with this id.'),
  grant_not_found: withId('No granted application with this id.'),
  connect_link_not_found: withId('No connect link with this id.'),
};

export const notFound = (code: ErrorCode, message = NOT_FOUND_MESSAGES[code] ?? 'Not found.'): ApiError =>
  new ApiError(code, message);

/** Returns the error for a request body that breaks a rule that a schema cannot express. */
export const invalidBody = (message: string): ApiError => new ApiError('validation_error', message, { status: 422 });
