/** The JSON envelope of the data apps, and the meaning of their answers (tax.md §3). */
import { v4 } from 'uuid';
import { dataPageFault, readSigns } from '../http/account-page.ts';
import type { HttpCall, HttpResponse } from '../http/client.ts';
import { closedPageFault } from '../http/closed-page.ts';
import { isObject, looksLikePage, parseJson } from '../parsing/bodies.ts';
import { unexpected } from '../parsing/results.ts';
import { type JsonObject, SourceError } from '../source.ts';
import { redact } from './app-codes.ts';
import type { DataApp } from './apps.ts';
import { closedDoor } from './page-signs.ts';
import { ACCEPT, APPS_ORIGIN } from './wire.ts';

export const dataRequest = (app: DataApp, method: string, data: JsonObject, conversationId: string): HttpCall => ({
  what: method,
  url: `${app.serviceUrl}/${method}`,
  method: 'POST',
  headers: { accept: ACCEPT, 'content-type': 'application/json', origin: APPS_ORIGIN, referer: app.url },
  body: JSON.stringify({
    metaData: { namespace: `${app.namespace}/${method}`, conversationId, transactionId: v4(), page: app.page },
    data,
  }),
});

export type TaxVerdict =
  | { kind: 'data'; answer: JsonObject }
  /** The tax authority's app does not retain the requested period. */
  | { kind: 'out_of_window'; answer: JsonObject }
  /** The service refuses a request that it does not know, and the caller accepts a refusal (`mayRefuse`). */
  | { kind: 'refused'; why: string }
  /** The app server does not know the session, or has forgotten it. */
  | { kind: 'expired'; why: string };

/**
 * Statuses by which an application server rejects a method, a field or a value. Failures with any other status are
 * temporary and are retried.
 */
const REFUSALS = new Set([400, 404, 405, 500]);
export const isRefusal = (status: number): boolean => REFUSALS.has(status);

export interface Expected {
  mayRefuse: boolean;
}

/**
 * Classifies an answer of an app. Throws for a failure that no retry within this session can repair. With `mayRefuse`,
 * a refusal by the service is returned instead of thrown; `mayRefuse` is for requests that no public source was seen
 * making.
 */
export const validateResponse = (
  app: DataApp,
  what: string,
  answer: HttpResponse,
  { mayRefuse }: Expected = { mayRefuse: false },
): TaxVerdict => {
  const account = accountFault(what, answer);
  if (account) throw account;
  const { status } = answer;
  if (status === 401 || status === 403) return { kind: 'expired', why: `HTTP ${status}` };
  const door = closedDoor(what, answer);
  if (door) throw door;
  if (status >= 300 && status < 400) return { kind: 'expired', why: 'sent away to another page' };
  if (mayRefuse && isRefusal(status)) return { kind: 'refused', why: `HTTP ${status}` };
  if (status !== 200) throw unexpected(what, `HTTP ${status}`);
  if (looksLikePage(answer.body)) return { kind: 'expired', why: pageInstead(what, answer, 'data') };
  const body = parseJson(answer.text());
  if (!isObject(body)) throw unexpected(what, 'the answer is not a JSON object');
  return validateState(app, what, body, { mayRefuse });
};

/** Returns the error of a page about the account, which comes instead of an app's answer. */
export const accountFault = (what: string, answer: HttpResponse): Error | undefined =>
  looksLikePage(answer.body) ? dataPageFault(what, readSigns(answer.text())) : undefined;

/**
 * Returns why a page with status 200 that is no page about the account ends the session.
 *
 * @throws SourceError for a wall or a page that reports a fault to everybody; a login would not change it
 */
export const pageInstead = (what: string, answer: HttpResponse, wanted: 'data' | 'a file'): string => {
  const closed = closedPageFault(what, readSigns(answer.text()));
  if (closed) throw closed;
  return `a page instead of ${wanted}`;
};

const REFUSING = new Set(['source.unexpected_response', 'source.unavailable']);

const validateState = (app: DataApp, what: string, body: JsonObject, { mayRefuse }: Expected): TaxVerdict => {
  const state = body.respEstado;
  if (!isObject(state)) {
    // "Acceso no autorizado!" without a state means that our envelope is incomplete, not that rights are missing
    // (§3.4).
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
