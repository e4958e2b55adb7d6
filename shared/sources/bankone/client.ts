/**
 * Calls whose answers are about the selected company. If the portal lost the selection, the client selects the company
 * again once (banks.md part 2).
 */
import { santiagoDay } from '#shared/values/dates.ts';
import { isObject } from '../parsing/bodies.ts';
import { reading, unexpected } from '../parsing/results.ts';
import {
  type Json,
  type JsonObject,
  type PullContext,
  type RawAnswer,
  SourceError,
  type UnparsedAnswer,
} from '../source.ts';
import { companyIn, selectCompany, selectedCompany } from './company.ts';
import { codeIn } from './envelope.ts';
import { type BankCall, exchange, type UsableAnswer } from './exchange.ts';
import type { OpenSession } from './session.ts';

export interface BankCallToKeep extends BankCall {
  /** Fields of the request that the parser needs; they are stored with the answer. */
  request: JsonObject;
  /**
   * Throws when the answer does not match the request. The client does not call this function for a "no data" answer.
   */
  check(body: JsonObject): void;
  /**
   * Says how an answer identifies its owner: by its `rutEmpresa`, by an account that only this company has, or not at
   * all. Answers about batches do not identify their owner, because two companies may have the same batch numbers.
   */
  names: 'company' | 'account' | 'nothing';
  /** Codes of HTTP 422 that the caller accepts as a valid answer. */
  refusals?: readonly string[];
}

export interface BankClient extends Pick<PullContext, 'progress'> {
  /** Stores the answer under the name of the call. */
  ask(call: BankCallToKeep): Promise<RawAnswer>;
  /** Returns the current day in Santiago. */
  today(): string;
}

/** True for `{"codigo":"SIN_DATOS"}`, which with HTTP 200 means an empty answer, like an empty list (banks.md §3.1). */
const saysNoData = (body: Json): boolean => codeIn(body) === 'SIN_DATOS';

type LoginOutcome = { kept: UnparsedAnswer } | { wrong: string };

export const createBankClient = (
  open: OpenSession,
  { ask, io, progress }: PullContext,
  company: string,
): BankClient => {
  const look = async (call: BankCallToKeep): Promise<LoginOutcome> => {
    const { http, verdict } = await exchange(open, io, call);
    if (verdict.kind === 'foreign') return { wrong: 'the account is not one of the selected company' };
    const outcome = await reading(call.request, http, (kept) => {
      const wrong = faultOf(call, verdict, company);
      return wrong === undefined ? { kept } : { wrong };
    });
    const isNamed = call.names !== 'nothing' && !(verdict.kind === 'data' && saysNoData(verdict.body));
    if (isNamed || 'wrong' in outcome || (await selectedCompany(open, io)) === company) return outcome;
    return { wrong: 'the portal has another company selected' };
  };
  const fetch = async (call: BankCallToKeep): Promise<UnparsedAnswer> => {
    const first = await look(call);
    if ('kept' in first) return first.kept;
    await selectCompany(open, io, company);
    const second = await look(call);
    if ('kept' in second) return second.kept;
    throw new SourceError('source.wrong_company', `${call.what}: ${second.wrong}`);
  };
  return { ask: (call) => ask(call.what, () => fetch(call)), today: () => santiagoDay(io.now()), progress };
};

/** Returns a fault message if the answer must not be stored. */
const faultOf = (
  { what, check, names, refusals }: BankCallToKeep,
  verdict: Exclude<UsableAnswer, { kind: 'foreign' }>,
  company: string,
): string | undefined => {
  if (verdict.kind === 'refused') {
    if (refusals?.includes(verdict.code)) return undefined;
    throw unexpected(what, 'the portal refuses the request (HTTP 422)');
  }
  const { body } = verdict;
  if (saysNoData(body)) return undefined;
  if (!isObject(body)) throw unexpected(what, 'the answer is not a JSON object');
  if (names === 'company' && companyIn(body, what) !== company) return 'the answer is about another company';
  check(body);
  return undefined;
};
