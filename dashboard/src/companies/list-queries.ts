/** Pages of connections; the home page reads two: all connections, and those that need attention. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, type Connection, must, type Schemas } from '../api/client.ts';
import { FIRST_SIZE, type ListFilter, type ListView, PAGE_SIZE } from './view.ts';

const LIST_MS = 15_000;
/** Shorter while the API is away, so that the list comes back soon. */
const AWAY_MS = 5_000;

interface ListQuery extends ListFilter {
  limit: number;
  offset: number;
  sort: 'company';
  attention?: true;
}

export interface ConnectionPage {
  data: Connection[];
  pagination: Schemas['Pagination'];
}

const readPage = async (query: ListQuery, signal: AbortSignal): Promise<ConnectionPage> => {
  const { data, pagination } = await must(api.GET('/connections', { params: { query }, signal }));
  // The API sends `pagination` whenever there is a limit.
  return { data, pagination: pagination ?? { total: data.length, limit: query.limit, offset: 0, has_more: false } };
};

/** One state of a list that stays while it is read again. */
export interface StayingList {
  /** The last page that arrived, also of a previous view if the API is away. */
  page: ConnectionPage | undefined;
  readAtMs: number;
  /** True if the page is of a previous view, because the new one has not arrived. */
  isEarlier: boolean;
  error: unknown;
  retry(): void;
}

/** A page of connections, read again every 15 seconds. The last one stays while the API is away. */
export const useStayingList = (query: ListQuery): StayingList => {
  const { data, error, dataUpdatedAt, isPlaceholderData, refetch } = useQuery({
    queryKey: ['connection-list', query],
    queryFn: ({ signal }) => readPage(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.error === null ? LIST_MS : AWAY_MS),
  });
  const own = isPlaceholderData ? undefined : data;
  const [last, setLast] = useState<{ page: ConnectionPage; readAtMs: number }>();
  // The library forgets the error of a view without data when it tries again.
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    if (own !== undefined) setLast({ page: own, readAtMs: dataUpdatedAt });
    if (error !== null) setFailure(error);
    else if (own !== undefined) setFailure(null);
  }, [own, dataUpdatedAt, error]);
  return {
    page: data ?? last?.page,
    readAtMs: own === undefined ? (last?.readAtMs ?? 0) : dataUpdatedAt,
    isEarlier: own === undefined && last !== undefined,
    error: error ?? failure,
    retry: () => void refetch(),
  };
};

export const useConnectionLists = ({ part, filter, offset }: ListView) => {
  const isAttention = part === 'attention';
  const all = useStayingList({ ...filter, sort: 'company', limit: PAGE_SIZE, offset: isAttention ? 0 : offset });
  const attention = useStayingList({
    ...filter,
    sort: 'company',
    attention: true,
    limit: isAttention ? PAGE_SIZE : FIRST_SIZE,
    offset: isAttention ? offset : 0,
  });
  return { all, attention };
};
