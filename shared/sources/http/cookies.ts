/** Cookies of one session, for all hosts of an institution. They are stored as plain JSON between workers. */
import { Cookie, CookieJar } from 'tough-cookie';
import type { JsonObject } from '../source.ts';
import type { AddressBook } from './addresses.ts';

export interface SessionCookies {
  /** Stores the cookies that an answer at `canonical` set. */
  keep(setCookie: readonly string[], canonical: URL): void;
  /** Returns the `Cookie` header for a call; undefined when there is no cookie to send. */
  header(canonical: URL): string | undefined;
  /** Returns the value of the first non-empty cookie with this name, for any domain and path. */
  value(name: string): string | undefined;
  /** Returns the name and the value of each cookie. */
  entries(): [name: string, value: string][];
  toJson(): JsonObject;
}

/** Leaves out the time of last use, so that a session is stored again only when something else changed. */
const withoutUse = (name: string, value: unknown): unknown => (name === 'lastAccessed' ? undefined : value);

export const createCookies = (addresses: AddressBook, saved?: JsonObject): SessionCookies => {
  const options = { looseMode: true, rejectPublicSuffixes: false } as const;
  const jar = saved ? CookieJar.deserializeSync(JSON.stringify(saved)) : new CookieJar(undefined, options);

  /**
   * If one server replaces the institution, makes every cookie a cookie of that server: `Domain=.sii.cl; Secure` is
   * right at the institution but impossible on a plain loopback server, and a default path is useless if one server
   * replaces several hosts.
   */
  const localize = (cookie: Cookie): Cookie => {
    if (!addresses.overridden) return cookie;
    cookie.domain = null;
    cookie.secure = false;
    cookie.path ??= '/';
    return cookie;
  };

  return {
    keep: (setCookie, canonical) => {
      for (const line of setCookie) {
        const cookie = Cookie.parse(line, { loose: true });
        // A cookie of a foreign domain is ignored, as in a browser, and never ends a call.
        if (cookie) jar.setCookieSync(localize(cookie), addresses.cookieUrl(canonical), { ignoreError: true });
      }
    },
    header: (canonical) => jar.getCookieStringSync(addresses.cookieUrl(canonical)) || undefined,
    value: (name) =>
      jar.serializeSync()?.cookies.find((cookie) => cookie.key === name && String(cookie.value ?? '').trim() !== '')
        ?.value as string | undefined,
    entries: () => jar.serializeSync()?.cookies.map(({ key = '', value = '' }) => [String(key), String(value)]) ?? [],
    toJson: () => JSON.parse(JSON.stringify(jar.serializeSync() ?? {}, withoutUse)) as JsonObject,
  };
};
