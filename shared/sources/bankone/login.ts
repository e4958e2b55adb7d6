/** Login by RUT and clave, approval on the phone, selection of the company, logout (banks.md §3.1). */
import type { HttpResponse } from '../http/client.ts';
import { blockedLogin } from '../http/faults.ts';
import { isObject, parseJson } from '../parsing/bodies.ts';
import { reading, unexpected } from '../parsing/results.ts';
import { type JsonObject, SourceError, type SourceIo } from '../source.ts';
import { awaitApproval, readChallenge } from './approval.ts';
import { chooseCompany, wireRut } from './company.ts';
import { accountFault, closedLogin, codeIn, doorFault, isPage } from './envelope.ts';
import { beginSession, endSession, type OpenSession } from './session.ts';
import { COMPANIES_URL, LOGIN_URL, LOGOUT_URL } from './wire.ts';

export interface LoginRequest {
  rut: string;
  password: string;
  /** Undefined means the company that the portal has selected. */
  company: string | undefined;
}

/** Sends exactly one POST, because the third wrong password locks the user. Starts with an empty cookie jar. */
export const login = ({ rut, password, company }: LoginRequest, io: SourceIo): Promise<JsonObject> =>
  beginSession(io, async (open, session) => {
    await io.login(async () => {
      const challenge = await postLogin(open, rut, password, io);
      if (challenge !== null) await awaitApproval(open, challenge, io);
      if (!open.isLoggedIn()) throw unexpected('login', 'accepted without a session');
    });
    try {
      session.company = await chooseCompany(open, io, company);
    } catch (error) {
      // Without this logout, the bank would keep an open session that we do not know, and would refuse the user's next
      // login, because a user may have only one session.
      await leave(open).catch(() => undefined);
      throw error;
    }
  });

/** Returns the bank's challenge, or null when the login is complete. */
const postLogin = async (open: OpenSession, rut: string, password: string, io: SourceIo) => {
  const http = await open.http.call({
    what: 'login',
    url: LOGIN_URL,
    method: 'POST',
    anyStatus: true,
    isLogin: true,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ rutUsuario: wireRut(rut), clave: password }),
  });
  return reading({ what: 'login' }, http, () => {
    const fault =
      refusal(http) ??
      accountFault(http) ??
      doorFault('login', http, io.now()) ??
      blockedLogin('login', http.status) ??
      closedLogin(http);
    if (fault) throw fault;
    const answer = parseJson(http.text());
    if (http.status !== 200 || isPage(http) || !isObject(answer))
      throw unexpected('login', `HTTP ${http.status}, neither a session nor a known refusal`);
    if (answer.estado === 'OK') return null;
    if (answer.estado === 'DESAFIO') return readChallenge(answer);
    throw unexpected('login', 'estado is neither OK nor DESAFIO');
  });
};

const refusal = (answer: HttpResponse): SourceError | undefined => {
  const code = codeIn(parseJson(answer.text()));
  if (answer.status === 401 && code === 'CLAVE_INCORRECTA')
    return new SourceError('source.invalid_credentials', 'login: the bank refused RUT or clave');
  if (answer.status === 423 || code === 'USUARIO_BLOQUEADO')
    return new SourceError('source.account_locked', 'login: the bank has locked this user');
  return undefined;
};

/**
 * Logs out. The stored token may be older than the bank's token. If the bank therefore refuses the logout, a request
 * for the list of companies renews the token, and the logout is repeated once.
 */
const leave = async (open: OpenSession): Promise<void> => {
  const post = () => {
    const headers = { 'content-type': 'application/json', ...open.xsrf() };
    return open.http.call({ what: 'logout', url: LOGOUT_URL, method: 'POST', anyStatus: true, headers, body: '{}' });
  };
  if ((await post()).status !== 403) return;
  await open.http.call({ what: 'companies', url: COMPANIES_URL, anyStatus: true });
  await post();
};

/** Ends the user's only session. Without a logout the session ends 300 s after the last call (banks.md §3.1). */
export const logout = (session: JsonObject, io: SourceIo): Promise<void> =>
  endSession(session, io, async (open) => {
    if (open.isLoggedIn()) await leave(open);
  });
