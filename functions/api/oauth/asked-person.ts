/** The person whom an application asks for permission, and the limit of such requests per person and minute. */
import { type AuthorizationAsked, countConsent } from '#shared/agents/authorize.ts';
import type { Caller } from '#shared/http/endpoint.ts';
import { ApiError, invalidBody } from '#shared/http/response/errors.ts';
import { rateLimitHeaders } from '#shared/http/response/rate-limit.ts';
import { QuotaSpent } from '#shared/table/minute-quota.ts';

type Headers = Record<string, string>;

const refusal = (error: unknown): unknown =>
  error instanceof QuotaSpent
    ? new ApiError('rate_limited', 'Too many questions and answers of this person in this minute.', {
        headers: { ...rateLimitHeaders('consents', error.quota), 'retry-after': String(error.quota.seconds) },
      })
    : error;

/**
 * Counts the request of the person and throws 429 above the limit, and 403 if the session names no person: a permission
 * belongs to the person who gave it.
 * @returns the person, and headers with the remaining quota of this minute
 */
export const askedPerson = async ({
  organizationId,
  id,
}: Caller): Promise<{ asked: AuthorizationAsked; headers: Headers }> => {
  if (id === null) throw new ApiError('forbidden', 'This session names no person (claim `sub`).');
  const asked = { organizationId, subject: id };
  try {
    return { asked, headers: rateLimitHeaders('consents', await countConsent(asked)) };
  } catch (error) {
    throw refusal(error);
  }
};

/**
 * Returns the error for a request without a valid client: the API knows no address to which it could redirect the
 * browser with the error.
 */
export const nobodyAsks = (finding: string): ApiError => invalidBody(`query: ${finding}`);
