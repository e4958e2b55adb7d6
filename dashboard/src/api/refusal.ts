/** Failures between this page and the API, as types; every page shows them with `<Problem>`. */

/**
 * The API refused the request. `code` is stable (docs/openapi.json lists the codes per operation); the message names
 * the field.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Id for support, who find the request in the logs by it. */
  readonly requestId: string | null;

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

export const isSessionOver = (error: unknown): boolean => error instanceof Refusal && error.status === 401;

interface Envelope {
  error?: { code?: string; message?: string };
}

/** The gateway's own response is `{message}` without a code (decisions.md §1), and a proxy may send anything. */
export const refusalOf = (response: Response, body: unknown): Refusal => {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as Envelope;
  const code = typeof error?.code === 'string' ? error.code : 'unknown';
  const message = typeof error?.message === 'string' ? error.message : '';
  return new Refusal(response.status, code, message, response.headers.get('x-request-id'));
};
