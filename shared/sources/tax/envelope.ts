/** The JSON envelope of the data apps, and what its answers mean for the register (tax.md §3). */
import type { HttpAnswer, HttpCall } from '../http/client.ts';
import { type Json, type JsonObject, SourceError } from '../source.ts';
import { closedDoor, looksLikePage } from './page-signs.ts';
import { ACCEPT, APPS_ORIGIN, FACADE_URL, NAMESPACE, RCV_APP_URL } from './wire.ts';

export const facadeRequest = (
  method: string,
  data: JsonObject,
  conversationId: string,
  transactionId: string,
): HttpCall => ({
  what: method,
  url: `${FACADE_URL}/${method}`,
  method: 'POST',
  headers: { accept: ACCEPT, 'content-type': 'application/json', origin: APPS_ORIGIN, referer: RCV_APP_URL },
  body: JSON.stringify({
    metaData: { namespace: `${NAMESPACE}/${method}`, conversationId, transactionId, page: null },
    data,
  }),
});

export type Verdict =
  | { kind: 'data'; answer: JsonObject }
  /** The period lies before the register's first month. */
  | { kind: 'out_of_window'; answer: JsonObject }
  /** The session is not, or no longer, known to the app server. */
  | { kind: 'expired'; why: string };

const unexpected = (what: string, why: string): SourceError =>
  new SourceError('source.unexpected_response', `${what}: ${why}`);

/** Long numbers, RUTs, addresses and tokens never reach a message. */
export const redact = (message: string): string =>
  message
    .replaceAll(/[\w.+-]+@[\w.-]+/g, '…')
    .replaceAll(/\d[\d.]{4,}(?:-[\dkK])?/g, '…')
    .replaceAll(/\b(?=\w*\d)[A-Za-z0-9]{10,}\b/g, '…')
    .slice(0, 160);

export const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads an answer of the register's facade; throws what no retry within this session can mend. */
export const judge = (what: string, answer: HttpAnswer): Verdict => {
  if (answer.status === 401 || answer.status === 403) return { kind: 'expired', why: `HTTP ${answer.status}` };
  const door = closedDoor(what, answer);
  if (door) throw door;
  if (answer.status >= 300 && answer.status < 400) return { kind: 'expired', why: 'sent away to another page' };
  if (answer.status !== 200) throw unexpected(what, `HTTP ${answer.status}`);
  if (looksLikePage(answer.body)) return { kind: 'expired', why: 'a page instead of data' };
  const body = parseJson(answer.text());
  if (!isObject(body)) throw unexpected(what, 'the answer is not a JSON object');
  return judgeState(what, body);
};

/** Codes mean this in the register's app only: every app has a table of its own (tax.md §3.4). */
const judgeState = (what: string, body: JsonObject): Verdict => {
  const state = body.respEstado;
  if (!isObject(state)) {
    // "Acceso no autorizado!" without a state means an incomplete envelope, not a lack of rights (§3.4).
    throw unexpected(what, typeof body.errorMsg === 'string' ? `"${redact(body.errorMsg)}"` : 'no respEstado');
  }
  const code = String(state.codRespuesta ?? '').trim();
  const message = typeof state.msgeRespuesta === 'string' ? state.msgeRespuesta : '';
  if (code === '0' || code === '3') return { kind: 'data', answer: body };
  // Success plus a notice on the job list, and nowhere else (§3.4).
  if (code === '1' && what === 'getCtrlAsync') return { kind: 'data', answer: body };
  if (code === '2') throw new SourceError('source.unavailable', `${what}: code 2, "${redact(message)}"`);
  if (code === '98') throw new SourceError('source.blocked', `${what}: code 98, the portal wants a person`);
  if (code === '99') {
    if (/per[ií]odo .*no v[aá]lido/i.test(message)) return { kind: 'out_of_window', answer: body };
    if (/token/i.test(message)) return { kind: 'expired', why: 'the token is not accepted' };
    if (/no (?:est[aá] )?autorizad|sin privilegios|no tiene (?:permiso|autorizaci|privilegio)/i.test(message)) {
      throw new SourceError('source.wrong_company', `${what}: this login has no rights over the company`);
    }
  }
  throw unexpected(what, `code ${redact(code)}, "${redact(message)}"`);
};
