/** Cookies of one session at an institution: kept over all its hosts, and over workers as plain JSON. */
import { Cookie, CookieJar } from 'tough-cookie';
import type { JsonObject } from '../source.ts';
import type { AddressBook } from './addresses.ts';

export interface SessionCookies {
  /** Keeps what an answer at `canonical` set. */
  keep(setCookie: readonly string[], canonical: URL): void;
  /** `Cookie` header for a call; undefined when there is nothing to send. */
  header(canonical: URL): string | undefined;
  /** Value of the first non-empty cookie of this name, whatever its domain and path. */
  value(name: string): string | undefined;
  /** Name and value of each cookie. */
  entries(): [name: string, value: string][];
  toJson(): JsonObject;
}

/** A session that was only used is the same one: it is kept again where it changed. */
const withoutUse = (name: string, value: unknown): unknown => (name === 'lastAccessed' ? undefined : value);

export const createCookies = (addresses: AddressBook, saved?: JsonObject): SessionCookies => {
  const options = { looseMode: true, rejectPublicSuffixes: false } as const;
  const jar = saved ? CookieJar.deserializeSync(JSON.stringify(saved)) : new CookieJar(undefined, options);

  /**
   * `Domain=.sii.cl; Secure` is right at the institution and impossible on a plain loopback server that speaks the
   * same wire, and one server in place of several hosts has no use for a default path: cookies become the server's.
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
        // A cookie of a foreign domain is dropped, as a browser does, and never ends a call.
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
