/** Calls whose answers are surely about one company: reselected once when the portal lost it (banks.md part 2). */
import { type Json, type JsonObject, reading, SourceError, type SourceIo } from '../source.ts';
import { companyIn, selectCompany, selectedCompany } from './company.ts';
import { codeIn, unexpected } from './envelope.ts';
import { type BankCall, exchange, type Judged } from './exchange.ts';
import type { OpenSession } from './session.ts';
import { isObject } from './values.ts';

/** An answer as it is kept. */
export interface Kept {
  request: JsonObject;
  contentType: string | null;
  body: Uint8Array;
}

export interface BankCallToKeep extends BankCall {
  /** What the parser must know of the request. */
  request: JsonObject;
  /** Throws when the answer is not the one that was asked for. Not called for "no data". */
  check(body: JsonObject): void;
  /**
   * What says whose the answer is: its `rutEmpresa`, an account that no other company has, or nothing, as with batches,
   * whose numbers another company may have as well.
   */
  names: 'company' | 'account' | 'nothing';
  /** Codes of 422 that are an answer and no fault. */
  refusals?: readonly string[];
}

export interface BankClient {
  fetch(call: BankCallToKeep): Promise<Kept>;
}

/** `{"codigo":"SIN_DATOS"}` with HTTP 200 is an empty answer like an empty list (banks.md §3.1). */
export const saysNoData = (body: Json): boolean => codeIn(body) === 'SIN_DATOS';

type Outcome = { kept: Kept } | { wrong: string };

export const createBankClient = (open: OpenSession, io: SourceIo, company: string): BankClient => {
  const look = async (call: BankCallToKeep): Promise<Outcome> => {
    const { http, verdict } = await exchange(open, io, call);
    const kept: Kept = { request: call.request, contentType: http.contentType, body: http.body };
    if (verdict.kind === 'foreign') return { wrong: 'the account is not one of the selected company' };
    const outcome = await reading(kept, () => checked(call, verdict, company, kept));
    const isNamed = call.names !== 'nothing' && !(verdict.kind === 'data' && saysNoData(verdict.body));
    if (isNamed || 'wrong' in outcome || (await selectedCompany(open, io)) === company) return outcome;
    return { wrong: 'the portal has another company selected' };
  };
  return {
    fetch: async (call) => {
      const first = await look(call);
      if ('kept' in first) return first.kept;
      await selectCompany(open, io, company);
      const second = await look(call);
      if ('kept' in second) return second.kept;
      throw new SourceError('source.wrong_company', `${call.what}: ${second.wrong}`);
    },
  };
};

const checked = (
  { what, check, names, refusals }: BankCallToKeep,
  verdict: Exclude<Judged, { kind: 'foreign' }>,
  company: string,
  kept: Kept,
): Outcome => {
  if (verdict.kind === 'refused') {
    if (refusals?.includes(verdict.code)) return { kept };
    throw unexpected(what, 'the portal refuses the question (HTTP 422)');
  }
  const { body } = verdict;
  if (saysNoData(body)) return { kept };
  if (!isObject(body)) throw unexpected(what, 'the answer is not a JSON object');
  if (names === 'company' && companyIn(body, what) !== company)
    return { wrong: 'data of another company were answered' };
  check(body);
  return { kept };
};
