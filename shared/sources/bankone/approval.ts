/**
 * The second factor of the login (banks.md §3.1): the adapter waits until the user approves the login on the phone. The
 * adapter cannot enter a code.
 */
import { isObject, parseJson } from '../parsing/bodies.ts';
import { reading, unexpected } from '../parsing/results.ts';
import { type JsonObject, SourceError, type SourceIo } from '../source.ts';
import { doorFault } from './envelope.ts';
import type { OpenSession } from './session.ts';
import { readKey } from './values.ts';
import { APPROVAL_EVERY_MS, APPROVAL_WAIT_MS, challengeUrl } from './wire.ts';

export interface Challenge {
  id: string;
}

/**
 * Returns the challenge in an answer. Throws `source.mfa_required` if the bank asks for a code that a person would have
 * to type (decisions.md §5).
 */
export const readChallenge = (answer: JsonObject): Challenge => {
  const { desafio } = answer;
  if (!isObject(desafio)) throw unexpected('login', 'a challenge without desafio');
  const place = { answerKey: 'login', row: 0 };
  const kind = readKey(desafio, 'tipo', place).toUpperCase();
  if (kind === 'CODIGO')
    throw new SourceError('source.mfa_required', 'login: the bank asks for a code that must be typed in');
  if (kind !== 'PUSH') throw unexpected('login', 'an unknown kind of challenge');
  return { id: readKey(desafio, 'id', place) };
};

const timedOut = (why: string): SourceError => new SourceError('source.mfa_timeout', `login approval: ${why}`);

/** Waits until the user approves the login. The answer that reports the approval sets the session's cookies. */
export const awaitApproval = async (open: OpenSession, { id }: Challenge, io: SourceIo): Promise<void> => {
  const untilMs = io.now() + APPROVAL_WAIT_MS;
  io.awaitsApproval?.(untilMs);
  for (;;) {
    await io.wait(APPROVAL_EVERY_MS);
    const state = await askState(open, id, io);
    if (state === 'APROBADO') return;
    if (state === 'EXPIRADO') throw timedOut('the bank ended the wait');
    // Only the owner can resolve a refusal on the phone, and every automatic retry would send another request to the
    // phone.
    if (state === 'RECHAZADO') throw new SourceError('source.mfa_required', 'login approval: refused on the phone');
    if (state !== 'PENDIENTE') throw unexpected('login approval', 'an unknown state');
    if (io.now() >= untilMs) throw timedOut(`no answer on the phone within ${APPROVAL_WAIT_MS / 1000} s`);
  }
};

const askState = async (open: OpenSession, id: string, io: SourceIo): Promise<string> => {
  const what = 'login approval';
  const http = await open.http.call({
    what,
    url: challengeUrl(id),
    anyStatus: true,
    headers: { accept: 'application/json' },
  });
  return reading({ what }, http, () => {
    const fault = doorFault(what, http, io.now());
    if (fault) throw fault;
    const answer = parseJson(http.text());
    if (http.status !== 200 || !isObject(answer)) throw unexpected(what, `HTTP ${http.status} without a state`);
    return readKey(answer, 'estado', { answerKey: what, row: 0 }).toUpperCase();
  });
};
