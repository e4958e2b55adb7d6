/** The limit of reads per minute (docs/adr/0040): for each credential and for its organization, people apart. */
import { createHash } from 'node:crypto';
import type { MiddlewareObj } from '@middy/core';
import type { Caller } from '#shared/auth/caller.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import type { FinishRead, HttpEvent, HttpResult } from '#shared/http/request-context.ts';
import { rateLimitHeaders, refuseSpent } from '#shared/http/response/rate-limit.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { envOr } from '#shared/platform/env.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { withPatience } from '#shared/platform/patience.ts';
import { keys } from '#shared/table/keys.ts';
import { addInMinute, QuotaSpent } from '#shared/table/minute-quota.ts';
import { type AddReads, createReadCounter, type ReadCounts, type ReadLimit, type ReadPool } from './read-counter.ts';

type ReadCaller = Pick<Caller, 'organizationId' | 'kind' | 'id'>;

const HASH_CHARS = 32;
const ORGANIZATION = 'reads';

const poolOf = ({ organizationId, kind }: ReadCaller): ReadPool => ({
  organizationId,
  audience: kind === 'session' ? 'people' : 'programs',
});

/** An id is hashed, because the subject of a session is any text. */
const counterOf = ({ id }: ReadCaller): string =>
  `${ORGANIZATION}_${createHash('sha256')
    .update(id ?? '')
    .digest('hex')
    .slice(0, HASH_CHARS)}`;

/** Adds to the item of the minute. Its other attributes are no counters, and no caller reads them. */
export const addReads: AddReads = async ({ organizationId, audience }, minute, counts) => {
  // A busy table must not make the request wait.
  const add = () => addInMinute((at) => keys.reads(organizationId, audience, at), minute, counts);
  return (await withPatience(() => 0, add)) as unknown as ReadCounts;
};

/** One for each function instance. */
const counter = createReadCounter(addReads, (error) => log.warn('reads were not added up', describeError(error)));

const limitsOf = (caller: ReadCaller): ReadLimit[] => {
  const ofProgram = Number(envOr(VARIABLES.readsPerMinute, String(HTTP_LIMITS.readsPerMinute)));
  const max = ofProgram * (caller.kind === 'session' ? HTTP_LIMITS.readsOfPersonTimes : 1);
  return [
    { policy: 'reads', counter: counterOf(caller), max },
    { policy: 'organization-reads', counter: ORGANIZATION, max: max * HTTP_LIMITS.readsOfOrganizationTimes },
  ];
};

const REFUSAL = 'Too many reads in this minute. Wait as Retry-After says; /docs/limits lists the limits.';

/**
 * Counts a read of the caller.
 *
 * @throws ApiError `rate_limited`
 */
export const countRead = (caller: ReadCaller): FinishRead => {
  const { isRefused, quota, addition } = counter.count(poolOf(caller), limitsOf(caller), nowMs());
  if (isRefused) throw refuseSpent(new QuotaSpent(quota()), quota().policy, REFUSAL);
  return async () => {
    await addition;
    return rateLimitHeaders(quota().policy, quota());
  };
};

/** Adds the remaining quota to every answer to a counted read, after the addition that the read started. */
export const readQuota = (): MiddlewareObj<HttpEvent, HttpResult> => {
  const complete = async (request: { event: HttpEvent; response?: HttpResult | null | undefined }): Promise<void> => {
    const headers = await request.event.context.finishRead?.();
    if (request.response) request.response.headers = { ...headers, ...request.response.headers };
  };
  return { after: complete, onError: complete };
};
