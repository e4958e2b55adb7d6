/**
 * Classifies a login that returned no token. The order matters: maintenance page, code of the authority's table, then
 * the text: session cap, locked account, expired password, wrong password (tax.md §2.3, §2.4).
 */

import { loginPageFault, readSigns } from '../http/account-page.ts';
import type { HttpResponse } from '../http/client.ts';
import { closedLoginFault } from '../http/closed-page.ts';
import { blockedLogin } from '../http/faults.ts';
import { seePage } from '../http/html.ts';
import { unexpected } from '../parsing/results.ts';
import { SourceError } from '../source.ts';
import { codeRefusal } from './login-codes.ts';
import { closedDoor } from './page-signs.ts';

/** Matches the message about too many sessions, with or without accent and in any escaping of a script (§2.4). */
const SESSION_CAP = /\bm\S{1,8}ximo de sesiones/i;
const LOCKED = /bloquead[oa]/i;
/** The warning "your password will be locked after …" appears with a wrong password, not with a locked account. */
const LOCK_WARNING = /(?:ser|ser[áa]|quedar|quedar[áa])\s+bloquead[oa]/gi;
/** A wall that says "bloqueado" speaks of an address and not of an account. */
const ACCOUNT = /clave|contrase|cuenta|usuario|rut\b/i;
const WRONG_PASSWORD = [
  /clave (?:tributaria )?(?:incorrecta|ingresada no es correcta)/i,
  /usuario y\/o clave incorrectos/i,
  /transacci[oó]n rechazada/i,
  /error de autenticaci[oó]n/i,
  /acceso denegado/i,
];

const lockRefusal = (said: string, closed: SourceError | undefined): SourceError | undefined => {
  if (!LOCKED.test(said.replaceAll(LOCK_WARNING, ''))) return undefined;
  if (closed?.code === 'source.blocked' && !ACCOUNT.test(said)) return closed;
  return new SourceError('source.account_locked', 'login: the tax authority has locked this account');
};

export const loginRefusal = (answer: HttpResponse): SourceError => {
  const door = closedDoor('login', answer);
  if (door) return door;
  // Only a firewall in front of the login answers with these statuses (tax.md §2.3, sources P and R); the login program
  // never does.
  const blocked = blockedLogin('login', answer.status);
  if (blocked) return blocked;
  if (answer.status !== 200) return unexpected('login', `answered HTTP ${answer.status} without a session`);
  const html = answer.text();
  const { alerts, visible, hasPasswordField } = seePage(html);
  const said = `${alerts}\n${visible}`;
  // A script that is no alert may also contain the code.
  const byCode = codeRefusal(said) ?? codeRefusal(html);
  if (byCode) return byCode;
  if (SESSION_CAP.test(said) || SESSION_CAP.test(html))
    return new SourceError('source.session_limit', 'login: too many open sessions at the tax authority');
  const signs = readSigns(html);
  const closed = closedLoginFault(signs);
  const locked = lockRefusal(said, closed);
  if (locked) return locked;
  const account = loginPageFault(signs);
  if (account) return account;
  const isLoginPage = hasPasswordField || answer.visited.some((url) => url.includes('IngresoRutClave'));
  if (isLoginPage || WRONG_PASSWORD.some((phrase) => phrase.test(said)))
    return new SourceError('source.invalid_credentials', 'login: the tax authority refused RUT or password');
  return closed ?? unexpected('login', 'neither a session nor a known refusal');
};
