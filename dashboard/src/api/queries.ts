/** Settings for caching and retrying responses: the whole page uses one query client. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSessionOver, LostConnection } from './refusal.ts';
import { sessionIsOver } from './session-over.ts';

const RETRIES_MAX = 2;
const STALE_MS = 10_000;

const notice = (error: unknown): void => {
  if (isSessionOver(error)) sessionIsOver();
};

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: notice }),
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      // A refusal is final; only a lost connection is worth a retry.
      retry: (count, error) => error instanceof LostConnection && count < RETRIES_MAX,
      // A browser that reports that it is offline still reaches a server on the same machine.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
