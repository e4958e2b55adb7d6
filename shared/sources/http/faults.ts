/**
 * Maps failures of the transport to the error codes of a sync (decisions.md §5). Details never quote a body or a
 * header.
 */
import { SourceError } from '../source.ts';

/**
 * Error codes of sockets, name resolution, TLS and unreadable answers. Other codes, such as the code of a wrong
 * argument, are our own mistakes.
 */
const CONNECTION =
  /^(?:E[A-Z0-9]+|EAI_\w+|ANSWER_\w+|ERR_(?:TLS|SSL)_[\w/]+|ERR_STREAM_PREMATURE_CLOSE|\w*CERT\w*|UNABLE_TO_\w+)$/;

/** Returns the error of a failed call. An error that the connection did not cause is returned unchanged. */
export const transportFault = (what: string, error: unknown, isUnsent = false): unknown => {
  const code = (error as { code?: unknown } | null)?.code;
  if (error instanceof SourceError || typeof code !== 'string' || !CONNECTION.test(code)) return error;
  const options = { cause: error, isUnsent };
  return code === 'ETIMEDOUT'
    ? new SourceError('source.timeout', `${what}: no answer in time (${code})`, options)
    : new SourceError('source.unavailable', `${what}: connection failed (${code})`, options);
};

/**
 * Returns the wait of a `Retry-After` header in either of its two forms; undefined when the header is absent or
 * unreadable.
 */
export const retryAfterMs = (header: string | undefined, nowMs: number): number | undefined => {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
};

/**
 * Returns the error for 429 and 5xx, which mean the same at every institution. The source classifies any other status.
 */
export const statusFault = (
  what: string,
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
  nowMs: number,
): SourceError | undefined =>
  status !== 429 && status < 500
    ? undefined
    : new SourceError(status === 429 ? 'source.rate_limited' : 'source.unavailable', `${what}: HTTP ${status}`, {
        retryAfterMs: retryAfterMs(headers['retry-after'], nowMs),
      });

/**
 * Returns the error of a login that a system in front of the institution answered with an undocumented 401 or 403. The
 * login stops, because the next password may lock the account.
 */
export const blockedLogin = (what: string, status: number): SourceError | undefined =>
  status === 401 || status === 403
    ? new SourceError('source.blocked', `${what}: refused with HTTP ${status} in an unknown way`)
    : undefined;
