/** Login by RUT and password, and logout (tax.md §2.1, §2.4). */
import type { JsonObject, SourceIo } from '../source.ts';
import { REGISTER_APP } from './apps.ts';
import { loginRefusal } from './login-refusal.ts';
import { closedDoor, findLanding } from './page-signs.ts';
import { rutFields } from './rcv-request.ts';
import { beginSession, endSession, type OpenSession, openApp } from './session.ts';
import { AUTH_ORIGIN, LANDING_URL, LOGIN_PAGE_URL, LOGIN_URL, LOGOUT_URL, PAGE_BYTES_MAX } from './wire.ts';

/**
 * Sends exactly one POST, because repeated wrong passwords lock the account (§2.3). Starts with an empty cookie jar,
 * because old cookies that are sent with a login count against the session cap (§2.4).
 */
export const login = (rut: string, password: string, io: SourceIo): Promise<JsonObject> =>
  beginSession(io, async (open) => {
    await openLoginPage(open);
    await io.login(() => postLogin(open, rut, password));
    try {
      await openApp(open, REGISTER_APP);
    } catch (error) {
      // Without this logout, a session that we do not store would count against the session cap for hours (§2.4).
      await leave(open).catch(() => undefined);
      throw error;
    }
  });

/** Opens the login page, which sets load-balancer and firewall cookies that later calls need (§2.1). */
const openLoginPage = async ({ http }: OpenSession): Promise<void> => {
  const answer = await http.call({ what: 'login page', url: LOGIN_PAGE_URL, bodyBytesMax: PAGE_BYTES_MAX });
  const door = closedDoor('login page', answer);
  if (door) throw door;
};

const postLogin = async (open: OpenSession, rut: string, password: string): Promise<void> => {
  const form = { ...rutFields(rut, 'rut', 'dv'), referencia: LANDING_URL, '411': '', rutcntr: rut, clave: password };
  const answer = await open.http.call({
    what: 'login',
    url: LOGIN_URL,
    method: 'POST',
    isLogin: true,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: AUTH_ORIGIN,
      referer: LOGIN_PAGE_URL,
    },
    body: new URLSearchParams(form).toString(),
    bodyBytesMax: PAGE_BYTES_MAX,
  });
  if (open.token() === undefined) throw loginRefusal(answer);
  open.landing = findLanding(answer.text()) ?? LANDING_URL;
};

const leave = async ({ http }: OpenSession): Promise<void> => {
  await http.call({ what: 'logout', url: LOGOUT_URL, anyStatus: true });
};

/**
 * Ends the session, so that it no longer counts against the RUT's session cap. Without a logout it counts until it
 * expires (§2.4).
 */
export const logout = (session: JsonObject, io: SourceIo): Promise<void> =>
  endSession(session, io, async (open) => {
    if (open.token() !== undefined) await leave(open);
  });
