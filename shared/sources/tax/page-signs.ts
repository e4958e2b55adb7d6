/**
 * Classifies HTML pages of the portal. No public source has published a failure page (tax.md §2.3), so several signs
 * are checked, and the text last.
 */
import type { HttpResponse } from '../http/client.ts';
import { looksLikePage } from '../parsing/bodies.ts';
import { SourceError } from '../source.ts';
import { manifest } from './manifest.ts';
import { LOGIN_URL } from './wire.ts';

const WAITING_ROOM = /queue-it|sala de espera/i;
const MAINTENANCE_PAGE = /\/ayudas\/[\w-]*\.html?/i;

/**
 * Returns the error for a maintenance page, or for a waiting room under load; both look the same at login and after
 * login. Only pages are checked: a supplier named "SALA DE ESPERA LTDA" in a file or in JSON is not a waiting room.
 */
export const closedDoor = (what: string, answer: HttpResponse): SourceError | undefined => {
  const places = answer.visited.join('\n');
  const page = looksLikePage(answer.body) ? answer.text() : '';
  if (/\/ayudas\//i.test(places) || MAINTENANCE_PAGE.test(redirectsOf(page)))
    return new SourceError('source.maintenance', `${what}: the tax authority is down for maintenance`);
  if (WAITING_ROOM.test(places) || WAITING_ROOM.test(page))
    return new SourceError('source.unavailable', `${what}: the tax authority answers with a waiting room`);
  return undefined;
};

/** Returns the redirects by script or meta tag. Links are not counted, because any page may link to a help page. */
const redirectsOf = (page: string): string =>
  [...page.matchAll(/location(?:\.replace\(|\.href\s*=|\s*=)[^;<]*|http-equiv="?refresh"?[^>]*/gi)].join('\n');

const LANDING = /location\.replace\(\s{0,20}(["'])([^"'\\\s]{1,500})\1/;
const HOSTS: ReadonlySet<string> = new Set(Object.values(manifest.hosts));

/** Returns the page to which the script of a login's answer goes; undefined for a page of a foreign host (§2.1). */
export const findLanding = (page: string): string | undefined => {
  const target = URL.parse(LANDING.exec(page)?.[2] ?? '', LOGIN_URL);
  return target && target.href !== LOGIN_URL && HOSTS.has(target.origin) ? target.href : undefined;
};
