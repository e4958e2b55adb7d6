/** The JSON envelope of the data apps, and what its answers mean (tax.md §3). */
import type { HttpCall, HttpResponse } from '../http/client.ts';
import { type Json, type JsonObject, SourceError } from '../source.ts';
import { redact } from './app-codes.ts';
import type { DataApp } from './apps.ts';
import { closedDoor, looksLikePage } from './page-signs.ts';
import { ACCEPT, APPS_ORIGIN } from './wire.ts';

export const dataRequest = (
  app: DataApp,
  method: string,
  data: JsonObject,
  conversationId: string,
  transactionId: string,
): HttpCall => ({
  what: method,
  url: `${app.serviceUrl}/${method}`,
  method: 'POST',
  headers: { accept: ACCEPT, 'content-type': 'application/json', origin: APPS_ORIGIN, referer: app.url },
  body: JSON.stringify({
    metaData: { namespace: `${app.namespace}/${method}`, conversationId, transactionId, page: app.page },
    data,
  }),
});

export type Verdict =
  | { kind: 'data'; answer: JsonObject }
  /** The app does not keep the period that was asked for. */
  | { kind: 'out_of_window'; answer: JsonObject }
  /** The service does not know such a request, and we were prepared for that. */
  | { kind: 'refused'; why: string }
  /** The session is not, or no longer, known to the app server. */
  | { kind: 'expired'; why: string };

const unexpected = (what: string, why: string): SourceError =>
  new SourceError('source.unexpected_response', `${what}: ${why}`);

export const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How an application server refuses a method, a field or a value; other faults pass and are for another try. */
const REFUSALS = new Set([400, 404, 405, 500]);
export const isRefusal = (status: number): boolean => REFUSALS.has(status);

/**
 * Reads an answer of an app; throws what no retry within this session can mend. `mayRefuse`: for requests that no
 * public source ever made, the service's refusal is an answer.
 */
export const judge = (app: DataApp, what: string, answer: HttpResponse, mayRefuse = false): Verdict => {
  const { status } = answer;
  if (status === 401 || status === 403) return { kind: 'expired', why: `HTTP ${status}` };
  const door = closedDoor(what, answer);
  if (door) throw door;
  if (status >= 300 && status < 400) return { kind: 'expired', why: 'sent away to another page' };
  if (mayRefuse && isRefusal(status)) return { kind: 'refused', why: `HTTP ${status}` };
  if (status !== 200) throw unexpected(what, `HTTP ${status}`);
  if (looksLikePage(answer.body)) return { kind: 'expired', why: 'a page instead of data' };
  const body = parseJson(answer.text());
  if (!isObject(body)) throw unexpected(what, 'the answer is not a JSON object');
  return judgeState(app, what, body, mayRefuse);
};

const REFUSING = new Set(['source.unexpected_response', 'source.unavailable']);

const judgeState = (app: DataApp, what: string, body: JsonObject, mayRefuse: boolean): Verdict => {
  const state = body.respEstado;
  if (!isObject(state)) {
    // "Acceso no autorizado!" without a state means an incomplete envelope, not a lack of rights (§3.4).
    throw unexpected(what, typeof body.errorMsg === 'string' ? `"${redact(body.errorMsg)}"` : 'no respEstado');
  }
  const code = String(state.codRespuesta ?? '').trim();
  const message = typeof state.msgeRespuesta === 'string' ? state.msgeRespuesta : '';
  try {
    const meaning = app.readCode({ what, code, message });
    return meaning === 'bad_token'
      ? { kind: 'expired', why: 'the token is not accepted' }
      : { kind: meaning, answer: body };
  } catch (error) {
    if (!mayRefuse || !(error instanceof SourceError) || !REFUSING.has(error.code)) throw error;
    return { kind: 'refused', why: error.message };
  }
};
