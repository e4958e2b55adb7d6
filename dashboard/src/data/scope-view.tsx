/**
 * The data of a scope: filters above a table or charts of the filtered rows. All state of the view is in the page's
 * address.
 */
import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { findingsElsewhere, readFindings } from '../problem/field-findings.ts';
import { Problem } from '../problem/problem.tsx';
import { Read } from '../problem/read.tsx';
import { useIsPhone } from '../shell/use-is-phone.ts';
import { count } from '../text/format.ts';
import { chooseChart } from './charts/chart-of.ts';
import { tableColumns } from './columns/build-columns.ts';
import type { Column } from './columns/column.ts';
import { nextSort, parseSort, type Sort } from './columns/sort-rows.ts';
import { ExportButton } from './export/export-button.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filterQuery, readPage, withFilter, withoutFilters } from './filters.ts';
import { Pager } from './pager.tsx';
import { ListChanged, type RowPage } from './read-rows.ts';
import { RowDrawer } from './row-drawer.tsx';
import { RowsTable } from './rows-table.tsx';
import { readTotal, type ScopeList } from './scope-list.ts';
import { dataTexts } from './texts.ts';
import { TotalsView } from './totals/totals-view.tsx';
import { useAddress, without, withValue } from './use-address.ts';
import { SORTED_ROWS_MAX, useRows } from './use-rows.ts';

/** The charts library is as large as the rest of this page, so it is loaded only for charts. */
const ChartsView = lazy(async () => ({ default: (await import('./charts/charts-view.tsx')).ChartsView }));

const STALE_OPACITY = 0.6;

/** True if the fields of the filters show the whole refusal; otherwise the refusal is shown above the rows. */
const isToldByFilters = (error: unknown, list: ScopeList): boolean => {
  const findings = readFindings(error);
  const names = list.filters.map(({ name }) => name);
  return findings.length > 0 && findingsElsewhere(findings, names).length === 0;
};

interface SortableTableProps {
  list: ScopeList;
  columns: readonly Column[];
  page: RowPage;
  sort: Sort | null;
  isSorted: boolean;
  sorting: Pick<ReturnType<typeof useRows>, 'isSortable' | 'sortError' | 'sortAgain'>;
  change: (change: (before: URLSearchParams) => URLSearchParams) => void;
}

const SortableTable = ({ list, columns, page, sort, isSorted, sorting, change }: SortableTableProps) => {
  const say = dataTexts.useTexts();
  const { isSortable, sortError, sortAgain } = sorting;
  const unsorted = isSortable
    ? undefined
    : say('table.unsorted', { max: count(SORTED_ROWS_MAX), number: count(readTotal(page)) });
  const onSort = (name: string): void => change((before) => withFilter(before, 'sort', nextSort(sort, name)));
  return (
    <>
      {unsorted !== undefined && <Text size="sm">{unsorted}</Text>}
      {sortError !== null && (
        <Problem
          error={sortError}
          onRetry={sortAgain}
          {...(sortError instanceof ListChanged ? { text: say('table.changed') } : {})}
        />
      )}
      <RowsTable
        title={list.title}
        columns={columns}
        sorting={isSortable ? { sort: isSorted ? sort : null, onSort } : undefined}
        unsorted={unsorted}
        rows={page.data}
        offset={page.pagination?.offset ?? 0}
        onOpen={(row) => change(withValue('row', String(row.id)))}
      />
    </>
  );
};

export const ScopeView = ({ list }: { list: ScopeList }) => {
  const say = dataTexts.useTexts();
  const [address, change] = useAddress();
  const filtered = filterQuery(list.filters, address);
  const { limit, offset } = readPage(address);
  const isPhone = useIsPhone();
  const columns = tableColumns(list.resource, isPhone);
  const sort = parseSort(address.get('sort'));
  const { query, sorted, ...sorting } = useRows(list, filtered, { limit, offset, sort }, columns);
  const chart = chooseChart(list.resource);
  const view = chart !== null && address.get('view') === 'charts' ? 'charts' : 'table';
  const openRow = address.get('row');
  /** While the next page loads, the previous page stays visible and is marked as busy. It keeps its own row numbers. */
  const rows = (read: RowPage) => {
    const page = sorted ?? read;
    return (
      <Stack
        gap="sm"
        aria-busy={query.isPlaceholderData}
        style={query.isPlaceholderData ? { opacity: STALE_OPACITY } : {}}
      >
        <Group justify="space-between">
          <Group>
            <Text fw={600} role="status">
              {say('total', { count: readTotal(page), number: count(readTotal(page)) })}
            </Text>
            {sorting.isSorting && (
              <Text size="sm" role="status">
                {say('table.sorting')}
              </Text>
            )}
          </Group>
          <ExportButton list={list} filtered={filtered} total={readTotal(page)} />
        </Group>
        {list.resource.totals !== null && <TotalsView list={list} filtered={filtered} />}
        <SortableTable {...{ list, columns, page, sort, sorting, change }} isSorted={sorted !== undefined} />
        <Pager
          total={readTotal(page)}
          shown={page.data.length}
          limit={limit}
          offset={page.pagination?.offset ?? 0}
          onPage={(next) => change(withValue('offset', String(next)))}
          onSize={(size) => change((before) => withFilter(before, 'limit', size))}
        />
        <RowDrawer
          list={list}
          rowId={openRow}
          row={page.data.find(({ id }) => id === openRow)}
          onClose={() => change(without('row'))}
        />
      </Stack>
    );
  };
  return (
    <Stack>
      {chart !== null && (
        <SegmentedControl
          aria-label={say('view.label')}
          value={view}
          onChange={(next) => change(withValue('view', next))}
          data={[
            { value: 'table', label: say('view.table') },
            { value: 'charts', label: say('view.charts') },
          ]}
        />
      )}
      <FilterBar
        list={list}
        query={filtered}
        findings={readFindings(query.error)}
        onChange={(name, value) => change((before) => withFilter(before, name, value))}
        onClear={() => change((before) => withoutFilters(list.filters, before))}
      />
      {view === 'table' && !isToldByFilters(query.error, list) && <Read query={query}>{rows}</Read>}
      {view === 'charts' && chart !== null && (
        <Suspense fallback={null}>
          <ChartsView key={`${list.path}?${filtered}`} list={list} filtered={filtered} chart={chart} />
        </Suspense>
      )}
    </Stack>
  );
};
