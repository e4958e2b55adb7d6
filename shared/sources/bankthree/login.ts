/** Login by RUT and clave, and logout (banks.md §3.3). */
import { splitRut } from '#shared/values/rut.ts';
import { type JsonObject, reading, SourceError, type SourceIo } from '../source.ts';
import { FORM_TYPE, formBody } from './form.ts';
import { PAGE_BYTES_MAX } from './limits.ts';
import { loginRefusal } from './refusals.ts';
import { type OpenSession, withSession } from './session.ts';
import { HOME_PATH, LOGIN_URL, LOGOUT_URL, SESSION_COOKIE } from './wire.ts';

/** Exactly one post: repeated wrong claves lock the user (§1.6). */
export const login = async (rut: string, password: string, io: SourceIo): Promise<JsonObject> => {
  const session: JsonObject = {};
  await withSession(session, io, (open) => io.login(() => postLogin(open, rut, password, io)));
  return session;
};

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
    // The redirect is the verdict: a home page that fails must not leave a session behind that nobody knows of.
    anyStatus: true,
  });
  const isIn = answer.visited.some((url) => HOME_PATH.test(url));
  const { contentType } = answer;
  await reading({ request: { page: 'login' }, contentType, body: answer.body }, () => {
    if (!isIn) throw loginRefusal(answer, io.now());
    if (SESSION_COOKIE.test(http.cookies.header(new URL(LOGIN_URL)) ?? '')) return;
    throw new SourceError('source.unexpected_response', 'login: accepted, and no session cookie came');
  });
};

/** A session that is gone, or a bank that is down, is no error here: it ends by itself after 600 s (§3.3). */
export const logout = async (session: JsonObject, io: SourceIo): Promise<void> => {
  try {
    await withSession(session, io, async ({ http }) => {
      if (http.cookies.header(new URL(LOGOUT_URL)) === undefined) return;
      await http.call({ what: 'logout', url: LOGOUT_URL, anyStatus: true });
    });
  } catch {
    // Nothing else can be done for it.
  }
};
