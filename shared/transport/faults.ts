/** How a call can fail, by step. No error contains text of the peer, because the owners of webhooks see the errors. */
import { AppError } from '#shared/values/app-error.ts';

export type ConnectStep = 'dns' | 'connect' | 'tls';

/** The connection failed. */
export class ConnectFailed extends AppError {
  readonly step: ConnectStep;
  /** Code of the error, for example `ECONNREFUSED` or `CERT_HAS_EXPIRED`. It never contains text from the peer. */
  readonly code: string;
  constructor(step: ConnectStep, code: string) {
    super(`${step} ${code}`);
    this.step = step;
    this.code = code;
  }
}

/** Connecting took longer than the limit. */
export class ConnectTimedOut extends AppError {
  readonly code = 'ETIMEDOUT';
}

/** The lookup or the check of the peer refused an address. The message contains no address. */
export class DestinationBlocked extends AppError {
  constructor() {
    super('destination not allowed');
  }
}

export type AnswerFault =
  /** The connection ended inside the answer. */
  | 'ANSWER_CUT'
  /** The connection ended before the answer. */
  | 'ANSWER_MISSING'
  | 'ANSWER_NOT_HTTP'
  | 'ANSWER_HEAD_TOO_LARGE'
  | 'ANSWER_LENGTH_INVALID'
  | 'ANSWER_LENGTHS_DIFFER'
  | 'ANSWER_CODING_UNKNOWN'
  | 'ANSWER_CHUNK_INVALID'
  /** The server changed to another protocol, for which nobody asked. */
  | 'ANSWER_SWITCHES';

/** The answer cannot be read. */
export class AnswerUnreadable extends AppError {
  readonly code: AnswerFault;
  /** Status of the final answer; null if none was received. */
  readonly status: number | null;
  constructor(code: AnswerFault, status: number | null = null) {
    super(code);
    this.code = code;
    this.status = status;
  }
}

/** OpenSSL has codes with a slash, such as `ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE`. */
const CODE = /^[A-Z][A-Z0-9_/]{2,60}$/;

/** Returns the code of OpenSSL, Node or the system. */
export const readErrorCode = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && CODE.test(code) ? code : 'UNKNOWN';
};
