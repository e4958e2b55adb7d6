/**
 * Where a canonical URL (https://www4.sii.cl/…, as the wire documents write it) really goes. With a base URL in the
 * settings one server stands in for every host of the manifest, in what we ask and in where it redirects us to.
 */
export interface AddressBook {
  /** The URL to open for a canonical one. */
  toWire(canonical: URL): URL;
  /** A `Location` header, seen while at `canonical`, as a canonical URL. */
  follow(location: string, canonical: URL): URL;
  /** Is this a host we may call at all? A redirect elsewhere (a help page, a waiting room) is told, not followed. */
  isServed(canonical: URL): boolean;
  /** The URL under which cookies of a canonical one are kept. */
  cookieUrl(canonical: URL): string;
  /** True when one server stands in for the institution. */
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
      // The stand-in names itself: same institution host as before, its own path prefix taken off again.
      const path = target.pathname.startsWith(`${prefix}/`) ? target.pathname.slice(prefix.length) : target.pathname;
      return new URL(`${canonical.origin}${path}${target.search}`);
    },
    isServed,
    cookieUrl: (canonical) => `${base.origin}${canonical.pathname}`,
    overridden: true,
  };
};
