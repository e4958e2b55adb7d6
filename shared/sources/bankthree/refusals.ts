/**
 * Maps a page that arrives instead of the requested data to one of our error codes (banks.md §3.3, errors; part 2).
 * Messages quote no text of a page.
 */

import { dataPageFault, loginPageFault, type PageSigns, readSigns } from '../http/account-page.ts';
import { decodeText } from '../http/charset.ts';
import type { HttpResponse } from '../http/client.ts';
import { closedLoginFault, closedPageFault } from '../http/closed-page.ts';
import { blockedLogin, statusFault } from '../http/faults.ts';
import { unexpected } from '../parsing/results.ts';
import { SessionExpired, SourceError } from '../source.ts';
import { TOO_FAST_WAIT_MS } from './limits.ts';
import { SAYS } from './page-signs.ts';
import { LOGIN_PATH, STATEMENT_FILE } from './wire.ts';

/**
 * Returns the error for refusals that look the same at login and after login. "Try again" is checked last, because
 * pages about maintenance and errors also end with these words.
 */
const closedDoor = (what: string, signs: PageSigns, isLogin = false): SourceError | undefined => {
  const { said } = signs;
  if (SAYS.maintenance.test(said))
    return new SourceError('source.maintenance', `${what}: the bank is down for maintenance`);
  if (SAYS.fault.test(said))
    return new SourceError('source.unavailable', `${what}: the bank tells of a fault of its own`);
  const closed = isLogin ? closedLoginFault(signs) : closedPageFault(what, signs);
  if (closed) return closed;
  if (!SAYS.tooFast.test(said)) return undefined;
  return new SourceError('source.rate_limited', `${what}: the bank asks for a pause`, {
    retryAfterMs: TOO_FAST_WAIT_MS,
  });
};

/**
 * Classifies a failed login. Lock and password are checked first, and a page with a login form counts as a refused
 * password: if such a page also mentions maintenance, another attempt could lock the user (§1.6).
 */
export const loginRefusal = (answer: HttpResponse, nowMs: number): SourceError => {
  const door = blockedLogin('login', answer.status);
  if (door) return door;
  const fault = statusFault('login', answer, nowMs);
  if (fault) return fault;
  const signs = readSigns(decodeText(answer.body));
  if (SAYS.locked.test(signs.said.replaceAll(SAYS.lockWarning, '')))
    return new SourceError('source.account_locked', 'login: the bank has locked this user');
  const account = loginPageFault(signs);
  if (account) return account;
  const refused = new SourceError('source.invalid_credentials', 'login: the bank refused RUT or clave');
  if (SAYS.wrongPassword.test(signs.said)) return refused;
  if (SAYS.secondFactor.test(signs.said))
    return new SourceError('source.mfa_required', 'login: the bank asks for a second factor');
  const closed = closedDoor('login', signs, true);
  if (closed) return closed;
  if (signs.hasLoginForm) return refused;
  return unexpected('login', `HTTP ${answer.status}, neither a session nor a known refusal`);
};

/**
 * True if the answer is the requested file, by its content type and its beginning ("First test on every answer", §3.3).
 */
export const isFile = (answer: HttpResponse, { type, start }: { type: string; start: string }): boolean =>
  answer.status === 200 &&
  (answer.contentType ?? '').split(';')[0]?.trim().toLowerCase() === type &&
  startsWith(answer.body, start);

const startsWith = (body: Uint8Array, start: string): boolean =>
  Buffer.from(body.subarray(0, start.length)).toString('latin1') === start;

/** A page that says that there is no data; it is not an error and is stored like a file. */
export type NothingThere = 'no_movements' | 'not_available';

export const nothingThere = (body: Uint8Array): NothingThere | undefined => {
  if (startsWith(body, STATEMENT_FILE.start)) return undefined;
  const { said, hasLoginForm } = readSigns(decodeText(body));
  if (hasLoginForm) return undefined;
  if (SAYS.noMovements.test(said)) return 'no_movements';
  return SAYS.notAvailable.test(said) ? 'not_available' : undefined;
};

/**
 * True for a page. Markers are searched only on pages, because the text of a movement may contain anything ("COMISIÓN
 * MANTENCIÓN CUENTA").
 */
const isPage = ({ contentType, body }: HttpResponse): boolean => {
  const start = Buffer.from(body.subarray(0, 64)).toString('latin1').trimStart();
  return start.startsWith('<') || (/^text\/html\b/i.test(contentType ?? '') && !/^(?:\d|CUENTA;)/.test(start));
};

/** Classifies an answer that is neither the requested data nor a "no data" page. */
export const refusal = (what: string, answer: HttpResponse): Error => {
  if (answer.status === 403) return new SourceError('source.blocked', `${what}: refused with HTTP 403`);
  const signs = isPage(answer) ? readSigns(decodeText(answer.body)) : { said: '', hasLoginForm: false };
  const account = dataPageFault(what, signs);
  if (account) return account;
  if (signs.hasLoginForm) return new SessionExpired(`${what}: the login form came in its place`);
  if (SAYS.notAuthorized.test(signs.said))
    return new SourceError('source.wrong_company', `${what}: the bank does not show this account to this user`);
  const door = closedDoor(what, signs);
  if (door) return door;
  const isAtLogin = answer.visited.slice(1).some((url) => LOGIN_PATH.test(url));
  if (isAtLogin) return new SessionExpired(`${what}: sent to the login`);
  return unexpected(what, `HTTP ${answer.status}, neither the file nor a known page`);
};
