/**
 * Checks whether a deployed stage answers. All requests are public: the API's description, its errors, its sources, the
 * page, and a request with an unknown key, for which the API reads the table.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { newToken } from '#shared/auth/token.store.ts';

/** Addresses of a deployed stage, from the outputs of its stacks. */
export interface Addresses {
  /** Base URL of the API, up to `/api`. */
  api: string;
  /**
   * URL of the dashboard under the name that CloudFront gave the distribution, which always resolves; null when the
   * stage has no dashboard.
   */
  dashboard: string | null;
  /** URL of the dashboard under the stage's own domain; null when the stage has no domain. */
  domain: string | null;
}

export interface SmokeOptions {
  ask?: typeof fetch;
  /**
   * Pause between two attempts of one request. A failed request is repeated, because a new deploy may not answer at
   * once.
   */
  pauseMs?: number;
}

const TRIES_MAX = 5;
const PAUSE_MS = 3_000;
const ANSWER_MS = 10_000;
const TOLD_CHARS = 120;

interface SmokeQuestion {
  url: string;
  /** API key of the request. */
  bearer?: string;
  status: number;
  /** Says in messages what the body should be; `isWanted` checks the body. */
  wanted: string;
  isWanted(text: string): boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: a stage may answer anything
const json = (isWanted: (body: any) => boolean) => (text: string) => {
  try {
    return isWanted(JSON.parse(text)) === true;
  } catch {
    return false;
  }
};

const pageAt = (origin: string): SmokeQuestion => ({
  url: `${origin}/`,
  status: 200,
  wanted: 'the dashboard’s page',
  isWanted: (text) => text.includes('<div id="root">') && text.includes('<script'),
});

const errorOf = (code: string) => json((body) => body.error.code === code && typeof body.error.message === 'string');

const questionsTo = ({ api, dashboard }: Addresses): SmokeQuestion[] => [
  {
    url: `${api}/openapi.json`,
    status: 200,
    wanted: 'the description with its paths',
    isWanted: json(({ openapi, paths }) => openapi.startsWith('3.') && Object.keys(paths).length > 0),
  },
  { url: `${api}/no-such-route`, status: 404, wanted: 'our not_found', isWanted: errorOf('not_found') },
  {
    url: `${api}/external-sources`,
    status: 200,
    wanted: 'at least one source',
    isWanted: json(
      ({ data }) => data.length > 0 && data.every(({ code }: { code: unknown }) => typeof code === 'string'),
    ),
  },
  { url: `${api}/connections`, status: 401, wanted: 'our unauthorized', isWanted: errorOf('unauthorized') },
  {
    url: `${api}/connections`,
    bearer: newToken('key'),
    status: 401,
    wanted: 'our unauthorized',
    isWanted: errorOf('unauthorized'),
  },
  ...(dashboard === null ? [] : [pageAt(dashboard)]),
];

/** Sends one request and resolves with the fault of the response; undefined when the response is right. */
const faultOf = async (
  { url, bearer, status, wanted, isWanted }: SmokeQuestion,
  ask: typeof fetch,
): Promise<string | undefined> => {
  const asked = bearer === undefined ? url : `${url} with an unknown key`;
  const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  try {
    const answer = await ask(url, { headers, signal: AbortSignal.timeout(ANSWER_MS), redirect: 'manual' });
    const text = await answer.text();
    if (answer.status !== status)
      return `${asked}: ${answer.status} instead of ${status}: ${text.slice(0, TOLD_CHARS)}`;
    return isWanted(text) ? undefined : `${asked}: ${status}, but not ${wanted}: ${text.slice(0, TOLD_CHARS)}`;
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error };
    return `${asked}: ${cause?.message ?? message}`;
  }
};

/**
 * Resolves with one line for each request that failed in all its attempts; empty when the stage answered all requests
 * correctly.
 */
export const smokeTest = async (
  addresses: Addresses,
  { ask = fetch, pauseMs = PAUSE_MS }: SmokeOptions = {},
): Promise<string[]> => {
  const faults = await Promise.all(
    questionsTo(addresses).map(async (question) => {
      for (let n = 1; ; n++) {
        const fault = await faultOf(question, ask);
        if (fault === undefined || n === TRIES_MAX) return fault;
        await sleep(pauseMs);
      }
    }),
  );
  return faults.filter((fault) => fault !== undefined);
};

/**
 * Asks for the dashboard's page under the stage's own domain. Resolves with one line if it is not there, or null. This is
 * no fault of the deploy: an operator changes the domain's DNS, and resolvers may store the absence of a name for minutes.
 */
export const checkDomain = async (
  { domain, dashboard }: Addresses,
  { ask = fetch }: SmokeOptions = {},
): Promise<string | null> => {
  if (domain === null || dashboard === null) return null;
  const fault = await faultOf(pageAt(domain), ask);
  if (fault === undefined) return null;
  const [name, target] = [domain, dashboard].map((origin) => new URL(origin).host);
  return `the dashboard is not at its domain yet (${fault}): point the CNAME record of ${name} at ${target}`;
};
