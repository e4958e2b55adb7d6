/** Classifies answers of the portal by status, content and `codigo` (banks.md §3.1, errors and limits). */

import { dataPageFault, loginPageFault, readSigns } from '../http/account-page.ts';
import type { HttpResponse } from '../http/client.ts';
import { closedLoginFault, closedPageFault } from '../http/closed-page.ts';
import { statusFault } from '../http/faults.ts';
import { isObject, looksLikePage, parseJson } from '../parsing/bodies.ts';
import { unexpected } from '../parsing/results.ts';
import { type Json, SourceError } from '../source.ts';
import { parseStamp } from './values.ts';
import { LOGIN_PAGE_PATH, MAINTENANCE_WAIT_MAX_MS, RATE_LIMIT_WAIT_MS } from './wire.ts';

export type BankoneVerdict =
  /** `body` is the answer, which may be `{"codigo":"SIN_DATOS"}`. */
  | { kind: 'data'; body: Json }
  | { kind: 'expired'; why: string }
  /** The token in the header is not the newest. */
  | { kind: 'xsrf' }
  /** The selected company does not have this account. */
  | { kind: 'foreign' }
  /** The portal understood the request and refused it: HTTP 422 with a code. */
  | { kind: 'refused'; code: string };

/** True for an HTML page. The content is also checked, because a login page may have any content type. */
export const isPage = ({ contentType, body }: Pick<HttpResponse, 'contentType' | 'body'>): boolean =>
  /^\s*text\/html/i.test(contentType ?? '') || looksLikePage(body);

export const codeIn = (body: Json | undefined): string | undefined =>
  isObject(body) && typeof body.codigo === 'string' ? body.codigo.trim().toUpperCase() : undefined;

/** Returns a code as part of a message, or an empty text if the code does not look like a code of the portal. */
const named = (code: string | undefined): string => (/^[A-Z_]{1,40}$/.test(code ?? '') ? `, ${code}` : '');

/**
 * Returns the time until the announced end of maintenance; undefined when no end is announced or the wait would be too
 * long.
 */
const maintenanceMs = (body: Json | undefined, nowMs: number): number | undefined => {
  const until = isObject(body) && typeof body.hasta === 'string' ? parseStamp(body.hasta.trim()) : undefined;
  if (until === undefined) return undefined;
  const waitMs = Date.parse(until.instant) - nowMs;
  return waitMs > 0 && waitMs <= MAINTENANCE_WAIT_MAX_MS ? waitMs : undefined;
};

/** Returns the error of an answer that means the same at login and after login; undefined for any other answer. */
export const doorFault = (what: string, answer: HttpResponse, nowMs: number): SourceError | undefined => {
  const { status, headers } = answer;
  const body = parseJson(answer.text());
  const code = codeIn(body);
  if (status === 503 && code === 'MANTENCION') {
    const options = { retryAfterMs: maintenanceMs(body, nowMs) };
    return new SourceError('source.maintenance', `${what}: the bank is down for maintenance`, options);
  }
  if (status === 429 && headers['retry-after'] === undefined)
    return new SourceError('source.rate_limited', `${what}: HTTP 429`, { retryAfterMs: RATE_LIMIT_WAIT_MS });
  // A failure may come as JSON or as a page; its status is checked before the content.
  const fault = statusFault(what, answer, nowMs);
  if (fault) return fault;
  if (status === 403 && isPage(answer))
    return new SourceError('source.blocked', `${what}: the portal's edge asks for a browser`);
  if (status === 409 && code === 'SESION_EN_USO')
    return new SourceError('source.rate_limited', `${what}: the session is in use by another call`);
  return undefined;
};

/** Returns the error of a page about the account, of a wall or of maintenance, which may have any status. */
const pageFault = (what: string, answer: HttpResponse): Error | undefined => {
  if (!isPage(answer)) return undefined;
  const signs = readSigns(answer.text());
  return dataPageFault(what, signs) ?? closedPageFault(what, signs);
};

/** Returns the error of a login that was answered by a wall or a maintenance page. */
export const closedLogin = (answer: HttpResponse): SourceError | undefined =>
  isPage(answer) ? closedLoginFault(readSigns(answer.text())) : undefined;

/** Returns the error of a login that was answered with a page about the account. */
export const accountFault = (answer: HttpResponse): SourceError | undefined =>
  isPage(answer) ? loginPageFault(readSigns(answer.text())) : undefined;

/**
 * Classifies the answer to a call within a session. Throws for a failure that no further call of this session can
 * repair.
 */
export const validateResponse = (what: string, answer: HttpResponse, nowMs: number): BankoneVerdict => {
  const fault = doorFault(what, answer, nowMs) ?? pageFault(what, answer);
  if (fault) throw fault;
  const { status, visited } = answer;
  if (visited.slice(1).some((url) => new URL(url).pathname.startsWith(LOGIN_PAGE_PATH)))
    return { kind: 'expired', why: 'sent to the login' };
  if (status === 401) return { kind: 'expired', why: 'HTTP 401' };
  if (status === 200 && isPage(answer)) return { kind: 'expired', why: 'a page instead of data' };
  const body = parseJson(answer.text());
  const code = codeIn(body);
  if (status === 200 && body !== undefined) return { kind: 'data', body };
  if (status === 200) throw unexpected(what, 'the answer is not JSON');
  if (status === 403 && code === 'XSRF') return { kind: 'xsrf' };
  if (status === 404 && code === 'CUENTA_NO_ENCONTRADA') return { kind: 'foreign' };
  if (status === 422 && code !== undefined) return { kind: 'refused', code };
  throw unexpected(what, `HTTP ${status}${named(code)}`);
};
