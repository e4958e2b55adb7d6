/** Shows the parts of a row below it, for example the payments of a batch, page by page. */
import { Stack, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readJson } from '../api/client.ts';
import { Read } from '../problem/read.tsx';
import { tableColumns } from './columns/build-columns.ts';
import { pathWith } from './find-resource.ts';
import { Pager } from './pager.tsx';
import type { RowPage } from './read-rows.ts';
import type { Part } from './resource.ts';
import { RowsTable } from './rows-table.tsx';
import { readTotal, type ScopeList } from './scope-list.ts';
import { partWord } from './words.ts';

const LIMIT = 50;

interface RowPartsProps {
  part: Part;
  list: ScopeList;
  rowId: string;
}

export const RowParts = ({ part, list, rowId }: RowPartsProps) => {
  const [offset, setOffset] = useState(0);
  const path = pathWith(part.path, list.connectionId, rowId);
  const query = useQuery({
    queryKey: ['rows', path, offset],
    queryFn: ({ signal }) =>
      readJson<RowPage>(path, new URLSearchParams({ limit: String(LIMIT), offset: String(offset) }), signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {partWord(part.name)}
      </Title>
      <Read query={query}>
        {(page) => (
          <>
            <RowsTable
              title={partWord(part.name)}
              columns={tableColumns({ source: list.resource.source, scope: part.name, fields: part.fields }, false)}
              rows={page.data}
              offset={page.pagination?.offset ?? 0}
            />
            <Pager
              of={partWord(part.name)}
              total={readTotal(page)}
              shown={page.data.length}
              limit={LIMIT}
              offset={page.pagination?.offset ?? 0}
              onPage={setOffset}
            />
          </>
        )}
      </Read>
    </Stack>
  );
};
