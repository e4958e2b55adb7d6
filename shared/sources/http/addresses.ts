/**
 * Maps a canonical URL (https://www4.sii.cl/…, as in the wire documents) to the address that is called. If the settings
 * have a base URL, one server replaces every host of the manifest, both for requests and for redirects.
 */
export interface AddressBook {
  /** Returns the URL that the client opens for a canonical URL. */
  toWire(canonical: URL): URL;
  /** Converts a `Location` header, which the answer of `canonical` contained, to a canonical URL. */
  follow(location: string, canonical: URL): URL;
  /**
   * True if the client may call this host. A redirect to a host outside the manifest (a help page, a waiting room) is
   * reported and not followed.
   */
  isServed(canonical: URL): boolean;
  /** Returns the URL under which the cookie jar stores the cookies of a canonical URL. */
  cookieUrl(canonical: URL): string;
  /** True if one server replaces all hosts of the institution. */
  overridden: boolean;
}

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

export const createAddressBook = (
  hosts: Readonly<Record<string, string>>,
  baseUrl: string | undefined,
): AddressBook => {
  const known = new Set(Object.values(hosts).map((host) => new URL(host).origin));
  const isServed = (url: URL): boolean => known.has(url.origin);
  if (baseUrl === undefined) {
    return {
      toWire: (canonical) => canonical,
      follow: (location, canonical) => new URL(location, canonical),
      isServed,
      cookieUrl: (canonical) => canonical.href,
      overridden: false,
    };
  }
  const base = new URL(baseUrl);
  const prefix = withoutSlash(base.pathname);
  const toWire = (canonical: URL): URL => new URL(`${base.origin}${prefix}${canonical.pathname}${canonical.search}`);
  return {
    toWire,
    follow: (location, canonical) => {
      const target = new URL(location, toWire(canonical));
      if (target.origin !== base.origin) return target;
      // If the server redirects to itself, the canonical URL keeps its host, and the path loses the server's own
      // prefix.
      const path = target.pathname.startsWith(`${prefix}/`) ? target.pathname.slice(prefix.length) : target.pathname;
      return new URL(`${canonical.origin}${path}${target.search}`);
    },
    isServed,
    cookieUrl: (canonical) => `${base.origin}${canonical.pathname}`,
    overridden: true,
  };
};
