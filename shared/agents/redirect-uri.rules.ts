/**
 * Decides which addresses answers to a client may go to (RFC 6749 §3.1.2 as narrowed by OAuth 2.1, RFC 8252 §7). An
 * address is checked character by character, because the browser, the client and this server must interpret it in the
 * same way. Pure.
 */

/** `web`: a site over https. `loopback`: a program on the person's computer. `app`: an app with its own scheme. */
export type RedirectKind = 'web' | 'loopback' | 'app';

export interface RedirectTarget {
  kind: RedirectKind;
  /** Text that is shown to the person: host and port, or the scheme of an app. */
  host: string;
}

const CHARS_MAX = 2_048;
/** ASCII without blanks and control characters. Excludes `#`, and the backslash, which browsers read as a slash. */
const LETTERS = /^[\x21-\x22\x24-\x5b\x5d-\x7e]+$/;
/** The host is a name or an address: no user info, and no `*`, which URL parsers accept. */
const WEB = /^https:\/\/(?:[\w.-]+|\[[\d.:a-f]+\])(?::\d{1,5})?(?:[/?].*)?$/;
const LOOPBACK = /^http:\/\/(?<host>127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?<rest>(?:[/?].*)?)$/;

/**
 * Returns the kind of a redirect address and its text for the person; undefined for an address to which answers are
 * never sent.
 * @param appUris addresses with the scheme of an app that the stage allows, compared exactly
 */
export const judgeRedirectUri = (uri: string, appUris: readonly string[]): RedirectTarget | undefined => {
  if (uri.length > CHARS_MAX || !LETTERS.test(uri) || !URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  if (appUris.includes(uri)) return { kind: 'app', host: url.protocol };
  if (LOOPBACK.test(uri)) return { kind: 'loopback', host: url.host };
  return WEB.test(uri) ? { kind: 'web', host: url.host } : undefined;
};

/**
 * True if the addresses are equal. For a program on this computer the port may differ, because the port is assigned
 * when the program starts (RFC 8252 §7.3).
 */
const isSame = (registered: string, asked: string): boolean => {
  if (registered === asked) return true;
  const [known, wanted] = [LOOPBACK.exec(registered)?.groups, LOOPBACK.exec(asked)?.groups];
  return known !== undefined && known.host === wanted?.host && known.rest === wanted?.rest;
};

/** Returns undefined if the client did not register this address or if answers are never sent to this address. */
export const findRedirectUri = (
  registered: readonly string[],
  asked: string,
  appUris: readonly string[],
): RedirectTarget | undefined =>
  registered.some((each) => isSame(each, asked)) ? judgeRedirectUri(asked, appUris) : undefined;
