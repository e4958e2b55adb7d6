/** Names of what the trail knows by id, as long as each still exists and is among the first of its list. */
import { useQueries } from '@tanstack/react-query';
import { api, must, type Schemas } from '../api/client.ts';

type AuditEvent = Schemas['AuditEvent'];
type Named = readonly [id: string, name: string];

/** The highest limit of a page of connections and of links. */
const LIMIT_MAX = 200;

const readNames: Record<string, (signal: AbortSignal) => Promise<Named[]>> = {
  async connection(signal) {
    const params = { query: { limit: LIMIT_MAX, offset: 0 } };
    const { data } = await must(api.GET('/connections', { params, signal }));
    return data.map(({ id, name }) => [id, name]);
  },
  async connect_link(signal) {
    const { data } = await must(api.GET('/connect-links', { params: { query: { limit: LIMIT_MAX } }, signal }));
    return data.map(({ id, name }) => [id, name]);
  },
  async api_key(signal) {
    const { data } = await must(api.GET('/api-keys', { signal }));
    return data.map(({ id, name }) => [id, name]);
  },
  async webhook(signal) {
    const { data } = await must(api.GET('/webhooks', { signal }));
    return data.map(({ id, url }) => [id, url]);
  },
  async grant(signal) {
    const { data } = await must(api.GET('/oauth/grants', { signal }));
    return data.map(({ id, client_name }) => [id, client_name]);
  },
};

/** An application is named by its grant. */
const kindsOf = ({ target, author }: AuditEvent): string[] => [
  target.kind,
  author.kind === 'application' ? 'grant' : author.kind,
];

/** Reads only the lists of what the events name. A list that cannot be read names nothing, and ids are shown. */
export const useNames = (events: readonly AuditEvent[]): ReadonlyMap<string, string> => {
  const kinds = new Set(events.flatMap(kindsOf));
  const read = Object.entries(readNames).filter(([kind]) => kinds.has(kind));
  const lists = useQueries({
    queries: read.map(([kind, readAll]) => ({
      queryKey: ['trail-names', kind],
      queryFn: ({ signal }: { signal: AbortSignal }) => readAll(signal),
    })),
  });
  return new Map(lists.flatMap(({ data }) => data ?? []));
};
