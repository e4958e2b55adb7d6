/** Makes one call within a session and classifies the answer. A refused XSRF token is renewed once (banks.md §3.1). */
import type { HttpResponse } from '../http/client.ts';
import { reading, unexpected } from '../parsing/results.ts';
import { type JsonObject, SessionExpired, type SourceIo } from '../source.ts';
import { type BankoneVerdict, validateResponse } from './envelope.ts';
import type { OpenSession } from './session.ts';
import { COMPANIES_URL } from './wire.ts';

export interface BankCall {
  /** Name of the call in messages. */
  what: string;
  url: string;
  /** With a body the call is a POST, without a body a GET. */
  body?: JsonObject;
}

export type UsableAnswer = Exclude<BankoneVerdict, { kind: 'expired' } | { kind: 'xsrf' }>;

const send = (open: OpenSession, { what, url, body }: BankCall): Promise<HttpResponse> =>
  open.http.call({
    what,
    url,
    anyStatus: true,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json', ...open.xsrf() }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/**
 * Makes a call and returns the answer with its classification. Throws `SessionExpired` when the bank ended the session.
 */
export const exchange = async (
  open: OpenSession,
  io: SourceIo,
  call: BankCall,
): Promise<{ http: HttpResponse; verdict: UsableAnswer }> => {
  const { what } = call;
  const attempt = async (): Promise<{ http: HttpResponse; verdict: UsableAnswer | { kind: 'xsrf' } }> => {
    if (!open.isLoggedIn()) throw new SessionExpired(`${what}: the session has no cookie`);
    const http = await send(open, call);
    open.save();
    const verdict = await reading({ what }, http, () => validateResponse(what, http, io.now()));
    if (verdict.kind === 'expired') throw new SessionExpired(`${what}: ${verdict.why}`);
    return { http, verdict };
  };
  const first = await attempt();
  if (first.verdict.kind !== 'xsrf') return { ...first, verdict: first.verdict };
  // Any answer may set the new token. The list of companies is requested because it is the shortest answer.
  if (call.url !== COMPANIES_URL) await exchange(open, io, { what: 'companies', url: COMPANIES_URL });
  const second = await attempt();
  if (second.verdict.kind === 'xsrf') throw unexpected(what, 'the renewed XSRF token is refused as well');
  return { ...second, verdict: second.verdict };
};
