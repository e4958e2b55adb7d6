/**
 * Decides which webhook destinations are allowed: the public internet over https (decisions.md §8, architecture.md §9,
 * B25). There are three checks. The URL is checked after WHATWG parsing, which turns decimal, octal and hex hosts into
 * addresses. Every address of a name is checked in the same lookup whose result is used for the connection, so that the
 * addresses cannot change in between. The socket's peer is checked before a byte is sent.
 */

import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { envOptional } from '#shared/platform/env.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { type ConnectOptions, readHost } from '#shared/transport/connect.ts';
import { DestinationBlocked } from '#shared/transport/faults.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';

export interface DestinationPolicy {
  /** True if a literal loopback address over http with a port is allowed, for the inbox of the local stage. */
  isLoopbackHttpAllowed: boolean;
}

export const policyOfStage = (): DestinationPolicy => ({
  isLoopbackHttpAllowed: envOptional(VARIABLES.webhookLoopbackAllowed) === 'true',
});

export const NOT_ALLOWED = 'destination not allowed';
const NOT_PUBLIC = 'must lead to the public internet';

/**
 * The range of global unicast addresses. The library ipaddr.js returns `unicast` for every address that is in none of
 * its named ranges, including IPv4-compatible addresses.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');
const GLOBAL_UNICAST_BITS = 3;

/**
 * Returns the IPv4 address in an ISATAP interface id, `…:0:5efe:a.b.c.d` or with the universal bit `…:200:5efe:a.b.c.d`
 * (RFC 5214 §6.1).
 */
const isatapIpv4 = ({ parts }: ipaddr.IPv6): ipaddr.IPv4 | undefined => {
  const [, , , , flags = 0, marker = 0, high = 0, low = 0] = parts;
  if ((flags & ~0x0200) !== 0 || marker !== 0x5efe) return undefined;
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
};

/**
 * True if the address is public. Mapped, 6to4, NAT64, Teredo and other translated addresses have their own ranges in
 * ipaddr.js and are refused regardless of the embedded address. ISATAP can use any prefix, so its embedded IPv4 address
 * is checked.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv4') return true;
  const v6 = parsed as ipaddr.IPv6;
  if (!v6.match(GLOBAL_UNICAST, GLOBAL_UNICAST_BITS)) return false;
  const embedded = isatapIpv4(v6);
  return embedded === undefined || embedded.range() === 'unicast';
};

const isLoopback = (address: string): boolean => isIP(address) !== 0 && ipaddr.parse(address).range() === 'loopback';

/** True for names that always mean this machine (RFC 6761), even if a resolver returns another address. */
const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/**
 * The allowed form of a URL: scheme, `//`, an authority without user info or backslash, then path and query. WHATWG
 * parsing accepts many more forms.
 */
const FORM = /^https?:\/\/[^/?#\\@\s]+([/?][^#\s]*)?$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused
const CONTROL = /[\u0000-\u0020\u007f]/;

const PORT_MAX = 65_535;
/** True for a URL that would be accepted with another port. */
const hasLargePort = (text: string): boolean => {
  const port = /^https?:\/\/[^/?#\\@\s]+:(\d+)(?=[/?]|$)/i.exec(text)?.[1];
  return port !== undefined && Number(port) > PORT_MAX;
};

export type Destination =
  | { url: URL; finding?: never }
  /** Description of the fault, for the person who entered the URL. */
  | { url?: never; finding: string };

/** Makes all checks of a URL that need no name resolution. */
export const judgeUrl = (text: string, policy: DestinationPolicy): Destination => {
  if ([...text].length > WEBHOOK_LIMITS.webhookUrlCharsMax)
    return { finding: `must have at most ${WEBHOOK_LIMITS.webhookUrlCharsMax} characters` };
  if (hasLargePort(text)) return { finding: `must have a port of at most ${PORT_MAX}` };
  if (CONTROL.test(text) || !FORM.test(text) || !URL.canParse(text))
    return { finding: 'must be an https URL without user info and fragment' };
  const url = new URL(text);
  const host = readHost(url);
  if (url.protocol !== 'https:') {
    const isInbox = policy.isLoopbackHttpAllowed && isLoopback(host) && url.port !== '';
    if (isInbox) return { url };
    const isNamed = policy.isLoopbackHttpAllowed && isLocalName(host);
    return {
      finding: isNamed
        ? 'must be an https URL, or name this machine as http://127.0.0.1:<port>'
        : 'must be an https URL',
    };
  }
  const isRefused = isIP(host) === 0 ? isLocalName(host) : !isPublicAddress(host);
  return isRefused ? { finding: NOT_PUBLIC } : { url };
};

/** True if a connection to this URL may end at this address. */
export const isAllowedPeer = (url: URL, address: string | undefined): boolean =>
  address !== undefined && (url.protocol === 'http:' ? isLoopback(address) : isPublicAddress(address));

/** Returns a `lookup` for `net.connect` that refuses a name if any of its addresses is not public. */
export const safeLookup =
  (lookup: LookupFunction = systemLookup as LookupFunction): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const found = Array.isArray(addresses) ? addresses : [];
      if (found.length === 0 || !found.every(({ address }) => isPublicAddress(address)))
        return callback(new DestinationBlocked(), []);
      if (options.all) return callback(null, found);
      return callback(null, found[0]!.address, found[0]!.family);
    });
  };

type Guard = Pick<ConnectOptions, 'lookup' | 'isAllowed'>;

/**
 * Returns the checks of a connection to a destination that a stranger named. The test's own check of the peer also
 * replaces the check of the lookup.
 */
export const guardDestination = ({ lookup, isAllowed }: Guard): Guard => ({
  lookup: isAllowed && !lookup ? undefined : safeLookup(lookup),
  isAllowed: isAllowed ?? isAllowedPeer,
});

/**
 * True if the name now resolves to a forbidden address. A name that does not resolve passes, since each attempt checks
 * again.
 */
export const resolvesToForbidden = (url: URL, lookup?: LookupFunction): Promise<boolean> => {
  const host = readHost(url);
  if (isIP(host) !== 0) return Promise.resolve(false);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), WEBHOOK_LIMITS.webhookConnectMs);
    safeLookup(lookup)(host, { all: true }, (error) => {
      clearTimeout(timer);
      resolve(error instanceof DestinationBlocked);
    });
  });
};

/** Returns the fault of a new endpoint's URL, or null. */
export const findingOfUrl = async (text: string, lookup?: LookupFunction): Promise<string | null> => {
  const { url, finding } = judgeUrl(text, policyOfStage());
  if (url === undefined) return finding;
  return (await resolvesToForbidden(url, lookup)) ? NOT_PUBLIC : null;
};
