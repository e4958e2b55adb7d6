/** Queries of the pages of connections, and how often each query is repeated while a run is open. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, must, type Schemas, type SyncRun } from '../api/client.ts';
import { readAgain } from '../api/queries.ts';
import { nameScopes } from '../data/words.ts';

const RUNNING_MS = 700;
const IDLE_MS = 15_000;

export const isOpen = ({ status }: Pick<SyncRun, 'status'>): boolean => status === 'queued' || status === 'running';

/** True for the lists of connections: the pages of the home page, and all of them. */
const isList = ([name, id]: readonly unknown[]): boolean =>
  name === 'connection-list' || (name === 'connections' && id === undefined);

/** Fetches the lists of connections again. */
export const readListsAgain = (): Promise<void> => readAgain({ predicate: ({ queryKey }) => isList(queryKey) });

const connectionKey = (id: string) => ['connections', id] as const;
const runsKey = (id: string) => ['connections', id, 'sync-runs'] as const;

/** The tax authority is first, because every company has it. */
const SOURCE_TYPES = ['tax_authority', 'bank', 'procurement'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

type ExternalSource = Schemas['ExternalSource'];
const rankOf = ({ type }: ExternalSource): number => SOURCE_TYPES.indexOf(type as SourceType);
const byTypeAndName = (a: ExternalSource, b: ExternalSource): number =>
  rankOf(a) - rankOf(b) || a.name.localeCompare(b.name);

export const useSources = () =>
  useQuery({
    queryKey: ['external-sources'],
    queryFn: async ({ signal }) => {
      const { data } = await must(api.GET('/external-sources', { signal }));
      return data
        .toSorted(byTypeAndName)
        .map((source) => ({ ...source, scopes: nameScopes(source.code, source.scopes) }));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useConnection = (id: string) =>
  useQuery({
    queryKey: connectionKey(id),
    queryFn: async ({ signal }) => {
      const { data } = await must(api.GET('/connections/{id}', { params: { path: { id } }, signal }));
      return { ...data, scopes: nameScopes(data.external_source_code, data.scopes) };
    },
  });

/**
 * Queries the last runs every 15 s, and every 0.7 s while a run is open. When a run ends, the connection is also
 * fetched again, because the end of a run changes the connection.
 */
export const useRuns = (id: string) => {
  const runs = useQuery({
    queryKey: runsKey(id),
    queryFn: async ({ signal }) =>
      (await must(api.GET('/connections/{id}/sync-runs', { params: { path: { id } }, signal }))).data,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? RUNNING_MS : IDLE_MS),
  });
  const finished = runs.data?.find((run) => !isOpen(run))?.id;
  useEffect(() => {
    if (finished === undefined) return;
    void readAgain({ queryKey: connectionKey(id), exact: true });
    void readListsAgain();
  }, [finished, id]);
  return runs;
};

/** Returns a function that fetches all data of one connection again. */
export const useRefresh = (id: string) => {
  return () =>
    readAgain({ predicate: ({ queryKey: key }) => isList(key) || (key[0] === 'connections' && key[1] === id) });
};

export const startSync = (id: string, body: { scopes?: string[]; metadata?: Record<string, unknown> }) =>
  must(api.POST('/connections/{id}/sync', { params: { path: { id } }, body }));

export type Changes = NonNullable<Parameters<typeof patch>[1]>;
const patch = (
  id: string,
  body: {
    name?: string;
    enabled_scopes?: string[];
    metadata?: Record<string, unknown>;
    credentials?: Record<string, unknown>;
    enabled?: boolean;
  },
) => must(api.PATCH('/connections/{id}', { params: { path: { id } }, body }));

export const useChange = (id: string) => {
  const refresh = useRefresh(id);
  return useMutation({ mutationFn: (changes: Changes) => patch(id, changes), onSuccess: () => refresh() });
};
