/**
 * Meaning of an answer that is not status 200 with JSON (banks.md §3.2 errors, part 2 classes). Messages never quote
 * texts of the bank.
 */
import { AppError } from '#shared/values/app-error.ts';
import { readSigns } from '../http/account-page.ts';
import type { HttpResponse } from '../http/client.ts';
import { closedPageFault } from '../http/closed-page.ts';
import { blockedLogin, retryAfterMs } from '../http/faults.ts';
import { looksLikePage } from '../parsing/bodies.ts';
import { unexpected } from '../parsing/results.ts';
import { SessionExpired, SourceError } from '../source.ts';
import { findObject } from './body.ts';
import { RATE_LIMIT_MS } from './limits.ts';

/** HTTP 409: the cursor is older than 5 minutes. The window is read again from its first page. */
export class BankCursorExpired extends AppError {}

/** Returns the code of an answer. Codes are short words, so a longer text is not quoted in messages. */
const codeIn = (answer: HttpResponse, field: string): string => {
  const code = findObject(answer.body)?.[field];
  return typeof code === 'string' && /^[A-Za-z_]{1,40}$/.test(code) ? code : '';
};

/**
 * Returns the error of a bank that is closed or busy. Such an answer is the same for a token request and a data
 * request.
 */
const closedDoor = (what: string, answer: HttpResponse, nowMs: number): SourceError | undefined => {
  const { status } = answer;
  const wait = { retryAfterMs: retryAfterMs(answer.headers['retry-after'], nowMs) };
  if (status === 429)
    return new SourceError('source.rate_limited', `${what}: too many requests`, {
      retryAfterMs: wait.retryAfterMs ?? RATE_LIMIT_MS,
    });
  if (status === 503 && codeIn(answer, 'code') === 'MAINTENANCE')
    return new SourceError('source.maintenance', `${what}: the bank is down for maintenance`, wait);
  if (status >= 500) return new SourceError('source.unavailable', `${what}: HTTP ${status}`, wait);
  // A firewall at the edge of the network sent a challenge. Further requests would look like an attack (part 2,
  // `blocked`).
  if (status === 403 && findObject(answer.body) === undefined)
    return new SourceError('source.blocked', `${what}: refused with HTTP 403 before the API`);
  // A gateway sent an error page, which may have any status (part 2, `unavailable`).
  if (status < 400 && looksLikePage(answer.body))
    return (
      closedPageFault(what, readSigns(answer.text())) ??
      new SourceError('source.unavailable', `${what}: a page instead of data`)
    );
  return undefined;
};

const unknown = (what: string, { status }: HttpResponse, code: string): SourceError =>
  unexpected(what, `HTTP ${status}${code && `, ${code}`}`);

/** Throws unless the answer contains data. */
export const requireData = (what: string, answer: HttpResponse, nowMs: number): void => {
  // The token has expired or was revoked. Only the status shows this, because the text varies (§1.6).
  if (answer.status === 401) throw new SessionExpired(`${what}: the token is not accepted`);
  const door = closedDoor(what, answer, nowMs);
  if (door) throw door;
  if (answer.status === 200) return;
  const code = codeIn(answer, 'code');
  if (answer.status === 403 && (code === 'SCOPE' || code === 'CLIENT_CODE'))
    throw new SourceError('source.wrong_company', `${what}: this client may not read the company's accounts (${code})`);
  if (answer.status === 404 && code === 'ACCOUNT_NOT_FOUND')
    throw new SourceError('source.wrong_company', `${what}: the account is not the company's`);
  if (answer.status === 409 && code === 'CURSOR_EXPIRED') throw new BankCursorExpired(what);
  throw unknown(what, answer, code);
};

/**
 * Throws unless the answer contains a token. If the bank refuses the API's grant or scope, the client is not entitled
 * to it, and only the owner of the client can resolve this with the bank.
 */
export const requireToken = (what: string, answer: HttpResponse, nowMs: number): void => {
  const door = closedDoor(what, answer, nowMs);
  if (door) throw door;
  if (answer.status === 200) return;
  const error = codeIn(answer, 'error');
  // According to the wire document, only this answer means that the secret is refused (§3.2).
  if (answer.status === 401 && error === 'invalid_client')
    throw new SourceError('source.invalid_credentials', `${what}: the bank refused client id or secret`);
  if (error === 'invalid_scope')
    throw new SourceError('source.consent_expired', `${what}: this client has no permission to read accounts`);
  // By RFC 6749 §5.2, the client may not use this grant, so no secret gives it a token.
  if (error === 'unauthorized_client')
    throw new SourceError('source.login_not_allowed', `${what}: this client may not log in with a secret`);
  throw blockedLogin(what, answer.status) ?? unknown(what, answer, error);
};
