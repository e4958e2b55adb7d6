/** Queries the inbox for deliveries that only a local stack has. */
import { useQuery } from '@tanstack/react-query';
import { readJson } from '../api/client.ts';

const POLL_MS = 3_000;

export interface InboxItem {
  id: string;
  received_at: string;
  body: string;
  verified: boolean;
  reason: string | null;
  answered: number;
}

const PATH = '/_local/inbox';

/**
 * Returns the inbox's address. The host is 127.0.0.1, because the API accepts a literal loopback address but not a host
 * name such as localhost.
 */
const address = (): string => `http://127.0.0.1:${window.location.port}${PATH}`;

/**
 * Returns the inbox's address; null on AWS and while `/config.json` loads. This file names the sign-in method, and only
 * a local stack has the method `development`.
 */
export const useLocalInbox = (): string | null => {
  const { data } = useQuery({
    queryKey: ['local-stack'],
    queryFn: ({ signal }) => readJson<{ sign_in: { kind: string } }>('/config.json', new URLSearchParams(), signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.sign_in.kind === 'development' ? address() : null;
};

export const useInboxItems = () =>
  useQuery({
    queryKey: ['local-inbox'],
    queryFn: ({ signal }) => readJson<{ data: InboxItem[] }>(PATH, new URLSearchParams(), signal),
    refetchInterval: POLL_MS,
  });
