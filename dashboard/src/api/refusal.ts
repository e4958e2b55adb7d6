/** What can go wrong between this page and the API, as types: every page shows them with `<Problem>`. */

/** The API refused. `code` is stable (docs/openapi.json lists it per operation); the message names the field. */
export class ApiRefusal extends Error {
  readonly status: number;
  readonly code: string;
  /** What support asks for: finds the request in the logs. */
  readonly requestId: string | null;

  constructor(status: number, code: string, message: string, requestId: string | null) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** No answer came: the network, or the server is not there. */
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

/** The gateway itself answers `{message}` without a code (decisions.md §1), and a proxy anything at all. */
export const toRefusal = (response: Response, body: unknown): ApiRefusal => {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as ErrorEnvelope;
  const code = typeof error?.code === 'string' ? error.code : 'unknown';
  const message = typeof error?.message === 'string' ? error.message : '';
  return new ApiRefusal(response.status, code, message, response.headers.get('x-request-id'));
};
