/** Types of the failures between this page and the API. Every page shows a failure with `<Problem>`. */

/**
 * The API refused the request. `code` is stable (docs/openapi.json lists the codes of each operation); the message
 * names the refused field.
 */
export class ApiRefusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Id of the request, by which support finds the request in the logs. */
  readonly requestId: string | null;
  /** Seconds after which the API accepts the request again. Null if the answer does not say it. */
  retryAfterSeconds: number | null = null;

  constructor(status: number, code: string, message: string, requestId: string | null) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** No response arrived: the network failed, or the server is down. */
export class LostConnection extends Error {
  constructor(cause: unknown) {
    super('no answer', { cause });
    this.name = 'LostConnection';
  }
}

export const isSessionOver = (error: unknown): boolean => error instanceof ApiRefusal && error.status === 401;

interface ErrorEnvelope {
  error?: { code?: string; message?: string };
}

const readSeconds = (header: string | null): number | null =>
  header !== null && /^\d{1,5}$/.test(header) ? Number(header) : null;

/**
 * Returns the error for a refused request. The code may be missing, because the gateway's own response is `{message}`
 * (decisions.md §1) and a proxy may send anything.
 */
export const toRefusal = (response: Response, body: unknown): ApiRefusal => {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as ErrorEnvelope;
  const code = typeof error?.code === 'string' ? error.code : 'unknown';
  const message = typeof error?.message === 'string' ? error.message : '';
  const refusal = new ApiRefusal(response.status, code, message, response.headers.get('x-request-id'));
  refusal.retryAfterSeconds = readSeconds(response.headers.get('retry-after'));
  return refusal;
};
