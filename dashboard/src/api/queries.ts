/** Settings for caching and retrying responses, in the one query client that the whole page uses. */
import { type InvalidateQueryFilters, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
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
      // Only a lost connection is retried, because a refusal is final.
      retry: (count, error) => error instanceof LostConnection && count < RETRIES_MAX,
      // Queries also run while the browser reports that it is offline, because a server on the same machine is still
      // reachable.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Sends queries again after a change. A first answer that is still under way may be older than the change, so it is not
 * waited for: TanStack Query would keep it and send nothing.
 */
export const readAgain = async (filters: InvalidateQueryFilters = {}): Promise<void> => {
  await queries.cancelQueries(filters);
  await queries.invalidateQueries(filters);
};
