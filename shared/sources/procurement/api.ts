/** The ticketed API: one call at a time, every body read before its status (procurement.md §2.6, §2.7). */
import type { HttpResponse } from '../http/client.ts';
import { statusFault } from '../http/faults.ts';
import { type JsonObject, reading, SourceError, type SourceIo } from '../source.ts';
import { BOUNDS } from './bounds.ts';
import { isObject, parseJson } from './json.ts';
import type { OpenSession } from './session.ts';
import { TENDERS_URL } from './wire.ts';

const BUSY = 10_500;
const TICKET_REFUSED = new Set([203, 10_200]);
/** The same in other words, whatever code stands beside them. */
const TICKET_WORDS =
  /ticket.*(?:no (?:es |sea )?v[aá]lid|inv[aá]lid|no autorizad|rechazad|no existe|expirad|vencid|caducad|bloquead)/is;

export interface ApiAnswer {
  contentType: string | null;
  body: Uint8Array;
  list: JsonObject[];
}

/** «Simultaneous requests» from somebody else with this ticket: waited out a few times within the call. */
class Busy extends SourceError {}

const unexpected = (why: string): SourceError => new SourceError('source.unexpected_response', `tender API: ${why}`);

const judge = (answer: HttpResponse, io: SourceIo): JsonObject[] => {
  const body = parseJson(answer.body);
  const code = isObject(body) ? Number(body.Codigo ?? Number.NaN) : Number.NaN;
  const { callDelayMs } = io.settings.pace;
  // May come with status 200, 429 or 500 (§2.6): before the status is looked at.
  if (code === BUSY) throw new Busy('source.rate_limited', 'tender API: simultaneous requests with this ticket');
  const said = isObject(body) ? String(body.Mensaje ?? body.message ?? body.Message ?? '') : '';
  if (TICKET_REFUSED.has(code) || TICKET_WORDS.test(said))
    throw new SourceError('source.invalid_credentials', 'tender API: ticket not accepted');
  if (answer.status === 504)
    throw new SourceError('source.unavailable', 'tender API: HTTP 504', {
      retryAfterMs: BOUNDS.gatewayWaitDelays * callDelayMs,
    });
  const fault = statusFault('tender API', answer.status, answer.headers['retry-after'], io.now());
  if (fault) throw fault;
  if (Number.isFinite(code)) throw unexpected(`error code ${code}`);
  if (answer.status === 401 || answer.status === 403)
    throw new SourceError('source.blocked', `tender API: HTTP ${answer.status} without an error code`);
  if (answer.status !== 200) throw unexpected(`HTTP ${answer.status}`);
  if (!isObject(body)) throw unexpected('the answer is not a JSON object');
  // Some clients saw null for an empty list (§2.2).
  const list = body.Listado === null && body.Cantidad === 0 ? [] : body.Listado;
  if (!Array.isArray(list) || !list.every(isObject)) throw unexpected('no Listado');
  // A body cut short is no JSON any more; a list cut short says so here (§2.2).
  if (body.Cantidad !== list.length) throw unexpected('Cantidad is not the length of Listado');
  return list;
};

const askOnce = async (
  { api, isTicketAccepted }: OpenSession,
  ticket: string,
  query: Record<string, string>,
  io: SourceIo,
): Promise<ApiAnswer> => {
  const url = `${TENDERS_URL}?${new URLSearchParams({ ...query, ticket })}`;
  const call = { what: 'tender API', url, anyStatus: true, isLogin: !isTicketAccepted };
  const answer = await api.call({ ...call, bodyBytesMax: BOUNDS.pageBytesMax });
  const { contentType, body } = answer;
  return reading({ request: query, contentType, body }, () => ({ contentType, body, list: judge(answer, io) }));
};

/** Until the API has answered this ticket with data every call is a login, and none is repeated here. */
export const askApi = async (
  open: OpenSession,
  ticket: string,
  query: Record<string, string>,
  io: SourceIo,
): Promise<ApiAnswer> => {
  const attempt = () => askOnce(open, ticket, query, io);
  if (!open.isTicketAccepted) {
    const answer = await io.login(attempt);
    open.isTicketAccepted = true;
    return answer;
  }
  for (const delays of BOUNDS.busyWaitDelays) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      await io.wait(delays * io.settings.pace.callDelayMs);
    }
  }
  return attempt();
};
