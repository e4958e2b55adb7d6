/** Login by RUT and clave, and logout (banks.md §3.3). */
import { splitRut } from '#shared/values/rut.ts';
import { reading, unexpected } from '../parsing/results.ts';
import type { JsonObject, SourceIo } from '../source.ts';
import { FORM_TYPE, formBody } from './form.ts';
import { PAGE_BYTES_MAX } from './limits.ts';
import { loginRefusal } from './refusals.ts';
import { beginSession, endSession, type OpenSession } from './session.ts';
import { HOME_PATH, LOGIN_URL, LOGOUT_URL, SESSION_COOKIE } from './wire.ts';

/** Sends exactly one POST, because repeated wrong claves lock the user (§1.6). */
export const login = (rut: string, password: string, io: SourceIo): Promise<JsonObject> =>
  beginSession(io, (open) => io.login(() => postLogin(open, rut, password, io)));

const postLogin = async ({ http }: OpenSession, rut: string, password: string, io: SourceIo): Promise<void> => {
  const { body, checkDigit } = splitRut(rut);
  const answer = await http.call({
    what: 'login',
    url: LOGIN_URL,
    method: 'POST',
    isLogin: true,
    headers: { 'content-type': FORM_TYPE },
    body: formBody({ rut: body, dv: checkDigit, clave: password }),
    bodyBytesMax: PAGE_BYTES_MAX,
    // Only the redirect decides whether the login succeeded: an error of the home page must not hide an open session.
    anyStatus: true,
  });
  const isIn = answer.visited.some((url) => HOME_PATH.test(url));
  await reading({ page: 'login' }, answer, () => {
    if (!isIn) throw loginRefusal(answer, io.now());
    if (SESSION_COOKIE.test(http.cookies.header(new URL(LOGIN_URL)) ?? '')) return;
    throw unexpected('login', 'accepted, and no session cookie came');
  });
};

/** Logs out. Without a logout the session ends after 600 s (§3.3). */
export const logout = (session: JsonObject, io: SourceIo): Promise<void> =>
  endSession(session, io, async ({ http }) => {
    if (http.cookies.header(new URL(LOGOUT_URL)) === undefined) return;
    await http.call({ what: 'logout', url: LOGOUT_URL, anyStatus: true });
  });
