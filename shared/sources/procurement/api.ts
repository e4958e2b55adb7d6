/**
 * The API with a ticket: one call at a time. The client reads the body before the status (procurement.md §2.6, §2.7).
 */
import type { HttpResponse } from '../http/client.ts';
import { statusFault } from '../http/faults.ts';
import { isInOrder } from '../parsing/in-order.ts';
import { reading, unexpected } from '../parsing/results.ts';
import { type JsonObject, SourceError, type SourceIo } from '../source.ts';
import { BOUNDS } from './bounds.ts';
import { pageInsteadFault } from './closed-pages.ts';
import { isObject, parseJson } from './json.ts';
import type { OpenSession } from './session.ts';
import { TENDERS_URL } from './wire.ts';

const BUSY = 10_500;
const TICKET_REFUSED = new Set([203, 10_200]);
/** Messages by which the API rejects the ticket; they may come with any code. */
const REFUSAL_WORDS =
  /no (?:es |sea )?v[aá]lid|inv[aá]lid|no autorizad|rechazad|no existe|expirad|vencid|caducad|bloquead/i;

export interface ApiAnswer {
  contentType: string | null;
  body: Uint8Array;
  list: JsonObject[];
}

/**
 * Another client uses the ticket at the same time («simultaneous requests»). The call waits and is repeated a few
 * times.
 */
class Busy extends SourceError {}

const WHAT = 'tender API';

/**
 * Returns the error of an answer. The code in the body is checked before the status, because the same code may come
 * with status 200, 429 or 500 (§2.6).
 */
const faultOf = (body: unknown, code: number, answer: HttpResponse, io: SourceIo): SourceError | undefined => {
  const { status } = answer;
  if (code === BUSY) return new Busy('source.rate_limited', `${WHAT}: simultaneous requests with this ticket`);
  const said = isObject(body) ? String(body.Mensaje ?? body.message ?? body.Message ?? '') : '';
  if (TICKET_REFUSED.has(code) || isInOrder(said, /ticket/i, REFUSAL_WORDS))
    return new SourceError('source.invalid_credentials', `${WHAT}: ticket not accepted`);
  if (status === 504)
    return new SourceError('source.unavailable', `${WHAT}: HTTP 504`, {
      retryAfterMs: BOUNDS.gatewayWaitDelays * io.settings.pace.callDelayMs,
    });
  const fault = statusFault(WHAT, answer, io.now());
  if (fault) return fault;
  if (Number.isFinite(code)) return unexpected(WHAT, `error code ${code}`);
  if (status === 401 || status === 403)
    return new SourceError('source.blocked', `${WHAT}: HTTP ${status} without an error code`);
  if (status !== 200) return unexpected(WHAT, `HTTP ${status}`);
  return body === undefined ? pageInsteadFault(WHAT, answer.body) : undefined;
};

const readListing = (answer: HttpResponse, io: SourceIo): JsonObject[] => {
  const body = parseJson(answer.body);
  const code = isObject(body) ? Number(body.Codigo ?? Number.NaN) : Number.NaN;
  const fault = faultOf(body, code, answer, io);
  if (fault) throw fault;
  if (!isObject(body)) throw unexpected(WHAT, 'the answer is not a JSON object');
  // Some clients received null instead of an empty list (§2.2).
  const list = body.Listado === null && body.Cantidad === 0 ? [] : body.Listado;
  if (!Array.isArray(list) || !list.every(isObject)) throw unexpected(WHAT, 'no Listado');
  // A truncated body is not valid JSON; a list that lost entries is detected by `Cantidad` (§2.2).
  if (body.Cantidad !== list.length) throw unexpected(WHAT, 'Cantidad is not the length of Listado');
  return list;
};

/** Dependencies of an API call. */
export interface ApiUser {
  open: OpenSession;
  ticket: string;
  io: SourceIo;
}

const askOnce = async ({ open, ticket, io }: ApiUser, query: Record<string, string>): Promise<ApiAnswer> => {
  const url = `${TENDERS_URL}?${new URLSearchParams({ ...query, ticket })}`;
  const call = { what: WHAT, url, anyStatus: true, isLogin: !open.isTicketAccepted };
  const answer = await open.api.call({ ...call, bodyBytesMax: BOUNDS.pageBytesMax });
  return reading(query, answer, ({ contentType, body }) => ({ contentType, body, list: readListing(answer, io) }));
};

/** Calls the API. Until the API has returned data for this ticket, every call counts as a login and is not repeated. */
export const askApi = async (user: ApiUser, query: Record<string, string>): Promise<ApiAnswer> => {
  const { open, io } = user;
  const attempt = () => askOnce(user, query);
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
