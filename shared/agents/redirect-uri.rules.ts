/**
 * Where an answer to a client may be sent (RFC 6749 §3.1.2 as narrowed by OAuth 2.1, RFC 8252 §7): an address is judged by
 * its letters, because the browser, the client and this server must read the same in it. Pure.
 */

/** `web`: a site over https; `loopback`: a program on the person's computer; `app`: one that opened a scheme of its own. */
export type RedirectKind = 'web' | 'loopback' | 'app';

export interface RedirectTarget {
  kind: RedirectKind;
  /** What the person is shown: host and port, or the scheme of an app. */
  host: string;
}

const CHARS_MAX = 2_048;
/** ASCII without blanks and controls; no fragment, no backslash, which browsers take for a slash. */
const LETTERS = /^[\x21-\x22\x24-\x5b\x5d-\x7e]+$/;
/** An authority without user info. */
const WEB = /^https:\/\/[^/?@]+(?:[/?].*)?$/;
const LOOPBACK = /^http:\/\/(?<host>127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?<rest>(?:[/?].*)?)$/;

/**
 * @param appUris addresses with a scheme of their own that the stage lets in, letter by letter
 * @returns undefined for an address to which nothing is ever sent
 */
export const judgeRedirectUri = (uri: string, appUris: readonly string[]): RedirectTarget | undefined => {
  if (uri.length > CHARS_MAX || !LETTERS.test(uri) || !URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  if (appUris.includes(uri)) return { kind: 'app', host: url.protocol };
  if (LOOPBACK.test(uri)) return { kind: 'loopback', host: url.host };
  return WEB.test(uri) ? { kind: 'web', host: url.host } : undefined;
};

/** The same letters; of a program on this computer any port, which it is given when it starts (RFC 8252 §7.3). */
const isSame = (registered: string, asked: string): boolean => {
  if (registered === asked) return true;
  const [known, wanted] = [LOOPBACK.exec(registered)?.groups, LOOPBACK.exec(asked)?.groups];
  return known !== undefined && known.host === wanted?.host && known.rest === wanted?.rest;
};

/** Undefined where the client registered no such address, or nothing is ever sent there. */
export const findRedirectUri = (
  registered: readonly string[],
  asked: string,
  appUris: readonly string[],
): RedirectTarget | undefined =>
  registered.some((each) => isSame(each, asked)) ? judgeRedirectUri(asked, appUris) : undefined;
