/** What an HTML page of the portal says. Nobody published a failure page (tax.md §2.3): several signs, text last. */
import type { HttpResponse } from '../http/client.ts';
import { looksLikePage } from '../parsing/bodies.ts';
import { SourceError } from '../source.ts';

const WAITING_ROOM = /queue-it|sala de espera/i;
const MAINTENANCE_PAGE = /\/ayudas\/[\w-]*\.html?/i;

/**
 * Down for maintenance, or a waiting room under load: the same signs at login and in the middle of the work. A supplier
 * named "SALA DE ESPERA LTDA" in a file or in JSON is no waiting room.
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

/** Only script and meta redirects count: any page may link to a help page. */
const redirectsOf = (page: string): string =>
  [...page.matchAll(/location(?:\.replace\(|\.href\s*=|\s*=)[^;<]*|http-equiv="?refresh"?[^>]*/gi)].join('\n');
