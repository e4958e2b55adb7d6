/** Shows one row in full: its document if the scope has documents, the lists below the row, and the row's files. */
import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readJson } from '../api/client.ts';
import { Read } from '../problem/read.tsx';
import { SidePanel } from '../shell/side-panel.tsx';
import { tableColumns } from './columns/build-columns.ts';
import { FileLink } from './file-link.tsx';
import { pathWith } from './find-resource.ts';
import type { Field, Row } from './resource.ts';
import { RowFields } from './row-fields.tsx';
import { RowParts } from './row-parts.tsx';
import { RowsTable } from './rows-table.tsx';
import type { ScopeList } from './scope-list.ts';
import { dataTexts } from './texts.ts';
import { fieldWord } from './words.ts';

/** A tender is found by its code, every other document by the id of its row. */
const isFoundByCode = (path: string): boolean => path.includes('{codigo}');

const Document = ({ list, url }: { list: ScopeList; url: string }) => {
  const query = useQuery({
    queryKey: ['row', url],
    queryFn: ({ signal }) => readJson<{ data: Row }>(url, new URLSearchParams(), signal),
  });
  return (
    <Read query={query}>
      {({ data }) => (
        <RowFields source={{ ...list.resource, fields: list.resource.document?.fields ?? [] }} row={data} />
      )}
    </Read>
  );
};

/** Shows the lists inside a row, such as the documents of an offer. The columns are the fields of the items. */
const Lists = ({ list, row }: { list: ScopeList; row: Row }) => {
  const { fields, download } = list.resource;
  return fields
    .filter(({ kind, name }) => kind === 'list' && Array.isArray(row[name]))
    .map(({ name }) => {
      const items = row[name] as Row[];
      const itemFields = Object.entries(items[0] ?? {}).flatMap(([key, value]): Field[] =>
        typeof value === 'object' || key === 'id' ? [] : [{ name: key, kind: 'text' }],
      );
      const source = { source: list.resource.source, scope: name, fields: itemFields };
      return (
        <Stack key={name} gap="xs">
          <Title order={3} size="h5">
            {fieldWord(name)}
          </Title>
          <RowsTable
            title={fieldWord(name)}
            columns={tableColumns(source, false)}
            rows={items}
            offset={0}
            action={(item) =>
              download === null ? null : (
                <FileLink id={String(item.id)} name={String(item.nombre ?? item.id)} list={list} />
              )
            }
          />
        </Stack>
      );
    });
};

interface RowDrawerProps {
  list: ScopeList;
  rowId: string | null;
  /**
   * The row in the list's current page; undefined when the page does not contain the row. The row's id is sufficient to
   * show a full document.
   */
  row: Row | undefined;
  onClose: () => void;
}

const Content = ({ list, rowId, row }: { list: ScopeList; rowId: string; row: Row | undefined }) => {
  const say = dataTexts.useTexts();
  const { document, fields, parts, download } = list.resource;
  const isFoundByRow = !document || isFoundByCode(document.path);
  if (isFoundByRow && !row) return <Text>{say('row.gone')}</Text>;
  const key = isFoundByRow ? String(row?.codigo) : rowId;
  const isFile = download !== null && fields.some(({ name }) => name === 'locator');
  return (
    <Stack>
      {document && <Document list={list} url={pathWith(document.path, list.connectionId, key)} />}
      {!document && row && <RowFields source={list.resource} row={row} />}
      {isFile && row && <FileLink id={rowId} name={String(row.nombre ?? rowId)} list={list} />}
      {row && <Lists list={list} row={row} />}
      {parts.map((part) => (
        <RowParts key={part.name} {...{ part, list, rowId }} />
      ))}
    </Stack>
  );
};

export const RowDrawer = ({ list, rowId, row, onClose }: RowDrawerProps) => {
  const say = dataTexts.useTexts();
  return (
    <SidePanel isOpen={rowId !== null} onClose={onClose} size="lg" title={`${list.title}: ${say('row.title')}`}>
      {rowId !== null && <Content key={rowId} list={list} rowId={rowId} row={row} />}
    </SidePanel>
  );
};
