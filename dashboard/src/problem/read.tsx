/** Shows a query in one of its three states: loading, failed with a button to retry, loaded. */
import { Loader, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { common } from '../text/common-texts.ts';
import { Problem } from './problem.tsx';

export const Loading = () => (
  <output>
    <Loader size="sm" aria-hidden />
    <VisuallyHidden>{common.useTexts()('state.loading')}</VisuallyHidden>
  </output>
);

export function Read<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  const { data, error, refetch } = query;
  return (
    <>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data !== undefined && children(data)}
      {data === undefined && error === null && <Loading />}
    </>
  );
}
