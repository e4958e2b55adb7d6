/** `Idempotency-Key` on every POST: the first answer is stored and returned again (decisions.md §1). */
import { createHash, createHmac } from 'node:crypto';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { toErrorAnswer } from '#shared/http/response/error-answer.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { derivedId, newId } from '#shared/platform/ids.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { withReserve } from '#shared/platform/patience.ts';
import { type EndpointContract, isRepeatable } from './contract.ts';
import * as store from './idempotency.store.ts';
import type { Answer, RequestContext } from './request-context.ts';

const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * Returns the key as sent, or null for methods without idempotency keys.
 *
 * @throws ApiError 400 for a malformed key
 */
export const readIdempotencyKey = (
  contract: Pick<EndpointContract, 'method' | 'takesIdempotencyKey'>,
  sent: string | undefined,
): string | null => {
  if (!isRepeatable(contract) || sent === undefined) return null;
  if (sent.length > HTTP_LIMITS.idempotencyKeyCharsMax || !PRINTABLE.test(sent))
    throw new ApiError(
      'validation_error',
      `Idempotency-Key must have 1 to ${HTTP_LIMITS.idempotencyKeyCharsMax} printable characters`,
    );
  return sent;
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Returns an HMAC of the body, keyed by data that only the caller knows. A body may contain a password, which could be
 * guessed from a plain hash of the body.
 */
const bodyHash = (scope: string, text: string): string => createHmac('sha256', scope).update(text).digest('hex');

/**
 * Returns the scope in which a key is unique: organization, method and path. None of the parts can contain a newline.
 */
const scopeOf = (contract: EndpointContract, { params, caller, idempotencyKey }: RequestContext): string =>
  [
    caller?.organizationId,
    contract.method,
    contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    idempotencyKey,
  ].join('\n');

const REUSED = 'This Idempotency-Key was already used with another body.';

const repeated = (contract: EndpointContract, kept: store.RecordedAnswer): Answer => {
  if (kept.body !== null) return { status: kept.status, body: JSON.parse(kept.body) as unknown, headers: kept.headers };
  throw new ApiError(
    'idempotency_key_reused',
    `This Idempotency-Key was already used: it ${contract.secretResponse} ${kept.resourceId}; the secret was shown once.`,
  );
};

const isKept = (status: number): boolean => (status >= 200 && status < 300) || [404, 409, 422].includes(status);

const idOf = (body: unknown): string | null =>
  (body as { data?: { id?: string }; id?: string })?.data?.id ?? (body as { id?: string })?.id ?? null;

/**
 * Headers that are not stored. Rate limits change between requests, and a repeated request uses no quota, so its answer
 * must not contain the values of the first answer.
 */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(['ratelimit', 'ratelimit-policy']);

const lastingHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_MOMENT.has(name)));

const toKept = (contract: EndpointContract, { status, body, headers = {} }: Answer): store.RecordedAnswer =>
  contract.secretResponse && status < 300
    ? { status, body: null, headers: {}, resourceId: idOf(body) }
    : { status, body: JSON.stringify(body), headers: lastingHeaders(headers), resourceId: null };

/**
 * Waits until the answer is stored. The answer is sent even if storing it failed; in this case a repeated request runs
 * again with the same ids.
 */
const settle = async (work: Promise<void>, requestId: string): Promise<void> => {
  await work.catch((error: unknown) =>
    log.warn('an idempotent answer was not stored', { request_id: requestId, ...describeError(error) }),
  );
};

const runClaimed = async (
  claim: store.Claim,
  scope: string,
  { contract, requestId }: { contract: EndpointContract; requestId: string },
  work: IdempotentWork,
) => {
  let ids = 0;
  const derive = (): string => derivedId(`${scope}\n${ids++}`, claim.firstSeenMs);
  try {
    // Time is left to release the key, so that a client may repeat the request after a 503.
    const answer = await withReserve(HTTP_LIMITS.idempotencyReserveMs, () => work(derive));
    await settle(store.keep(claim, toKept(contract, answer)), requestId);
    return answer;
  } catch (error) {
    const answer = toErrorAnswer(error);
    const isFinal = isKept(answer.status);
    await settle(isFinal ? store.keep(claim, toKept(contract, answer)) : store.release(claim), requestId);
    throw error;
  }
};

type IdempotentWork = (newId: () => string) => Promise<Answer>;

/** Runs the work once per key. Without a key, the work runs on every call. */
export const idempotently = async (
  contract: EndpointContract,
  context: RequestContext,
  work: IdempotentWork,
): Promise<Answer> => {
  const { caller, idempotencyKey, text } = context;
  if (caller === null || idempotencyKey === null) return work(newId);
  const scope = scopeOf(contract, context);
  const found = await store.claim(caller.organizationId, sha256(scope), bodyHash(scope, text));
  if (found.state === 'kept') return repeated(contract, found.answer);
  if (found.state === 'reused') throw new ApiError('idempotency_key_reused', REUSED);
  if (found.state === 'in-progress')
    throw new ApiError('idempotency_key_in_progress', 'A request with this Idempotency-Key is still in progress.');
  return runClaimed(found.claim, scope, { contract, requestId: context.requestId }, work);
};
