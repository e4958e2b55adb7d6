/** Meaning of `respEstado.codRespuesta`: each app has its own table of codes (tax.md §3.4). */
import { isInOrder } from '../parsing/in-order.ts';
import { unexpected } from '../parsing/results.ts';
import { SourceError } from '../source.ts';

export interface AppState {
  /** Name of the called method. */
  what: string;
  code: string;
  message: string;
}

/** `out_of_window`: the app does not retain the period. `bad_token`: the app does not accept the session. */
export type Meaning = 'data' | 'out_of_window' | 'bad_token';

/** Returns the meaning of a code. Throws a `SourceError` for a failure that no retry within this session can repair. */
export type CodeTable = (state: AppState) => Meaning;

/**
 * Only this many characters of a message are read, because some of the patterns below look far ahead. Real messages are
 * never longer.
 */
const MESSAGE_READ_CHARS = 1_000;

/** Removes long numbers, RUTs, addresses and tokens from a message. */
export const redact = (message: string): string =>
  message
    .slice(0, MESSAGE_READ_CHARS)
    .replaceAll(/[\w.+-]+@[\w.-]+/g, '…')
    .replaceAll(/\d[\d.]{4,}(?:-[\dkK])?/g, '…')
    .replaceAll(/\b(?=\w*\d)[A-Za-z0-9]{10,}\b/g, '…')
    .slice(0, 160);

const unknownCode = ({ what, code, message }: AppState): SourceError =>
  unexpected(what, `code ${redact(code)}, "${redact(message)}"`);

const NO_RIGHTS = /no (?:est[aá] )?autorizad|sin privilegios|no tiene (?:permiso|autorizaci|privilegio)/i;

const noRights = (what: string): SourceError =>
  new SourceError('source.wrong_company', `${what}: this login has no rights over the company`);

export const registerCode: CodeTable = (state) => {
  const { what, code, message } = state;
  if (code === '0' || code === '3') return 'data';
  // Only the job list uses this code, for success plus a notice (§3.4).
  if (code === '1' && what === 'getCtrlAsync') return 'data';
  if (code === '2') throw new SourceError('source.unavailable', `${what}: code 2, "${redact(message)}"`);
  if (code === '98') throw new SourceError('source.blocked', `${what}: code 98, the portal only accepts a person`);
  if (code === '99') {
    if (isInOrder(message, /per[ií]odo /i, /no v[aá]lido/i)) return 'out_of_window';
    if (/token/i.test(message)) return 'bad_token';
    if (NO_RIGHTS.test(message)) throw noRights(what);
  }
  throw unknownCode(state);
};

/**
 * Reads the codes of the daily receipts app, which are assumed (§3.4): 0 is OK, 2 an error, 3 empty; 98 and 99 mean the
 * same as in the register; 1 is unused.
 */
export const boletaCode: CodeTable = registerCode;

/**
 * Reads the codes of the app with guides. Code 1 means that the period is outside the app's window, code 2 that the
 * period is empty. Code 0 with an empty list also means an empty period (§7.4).
 */
export const guideCode: CodeTable = (state) => {
  const { what, code, message } = state;
  if (code === '0' || code === '2') return 'data';
  if (code === '1') return 'out_of_window';
  if (code === '99') {
    if (NO_RIGHTS.test(message)) throw noRights(what);
    if (/token/i.test(message)) return 'bad_token';
  }
  throw unknownCode(state);
};
