/** Rows in a table, with the columns that matter to a person. */
import { Button, Table, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { withValues } from './columns/build-columns.ts';
import { type Column, cellText, isRightAligned } from './columns/column.ts';
import type { Sort } from './columns/sort-rows.ts';
import styles from './data.module.css';
import type { Row } from './resource.ts';
import { dataTexts } from './texts.ts';

interface Sorting {
  sort: Sort | null;
  onSort: (name: string) => void;
}

interface RowsTableProps {
  title: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** Number of rows in all pages before this page; the row numbers for screen readers continue from it. */
  offset: number;
  onOpen?: (row: Row) => void;
  /** Returns a button or link that a row shows in addition to the action that opens the row. */
  action?: (row: Row) => ReactNode;
  /** Absent if the rows cannot be sorted. */
  sorting?: Sorting | undefined;
  /** Explanation of the headers, if the rows cannot be sorted. */
  unsorted?: string | undefined;
}

const SIGNS = { ascending: '▲', descending: '▼', none: '↕' } as const;

const Head = ({ column, sorting, unsorted }: { column: Column } & Pick<RowsTableProps, 'sorting' | 'unsorted'>) => {
  const say = dataTexts.useTexts();
  const className = isRightAligned(column) ? styles.number : styles.cell;
  if (!sorting)
    return (
      <Table.Th className={className} title={unsorted}>
        {column.head}
      </Table.Th>
    );
  const { sort, onSort } = sorting;
  const ordered = sort?.isDescending ? 'descending' : 'ascending';
  const order = sort?.name === column.name ? ordered : 'none';
  return (
    <Table.Th className={className} aria-sort={order}>
      <UnstyledButton
        className={styles.sort}
        title={say('table.sort', { name: column.head })}
        onClick={() => onSort(column.name)}
      >
        {column.head} <span aria-hidden="true">{SIGNS[order]}</span>
      </UnstyledButton>
    </Table.Th>
  );
};

const Cell = ({ column, row, children }: { column: Column; row: Row; children?: ReactNode }) => {
  const text = cellText(column, row);
  const second = column.readSecond?.(row) ?? null;
  return (
    <Table.Td
      className={isRightAligned(column) ? styles.number : styles.cell}
      title={[text, second].filter((each) => each !== null).join('\n') || undefined}
    >
      {column.kind === 'text' ? <span className={styles.lines}>{text}</span> : text}
      {second !== null && <span className={styles.second}>{second}</span>}
      {children}
    </Table.Td>
  );
};

export const RowsTable = (props: RowsTableProps) => {
  const { title, rows, offset, onOpen, action, sorting, unsorted } = props;
  const say = dataTexts.useTexts();
  if (rows.length === 0) return <Text>{say('table.empty')}</Text>;
  const columns = withValues(props.columns, rows);
  const label = say('table.label', { name: title });
  /** The action is in the first cell: as a column of its own it would push the amounts out of view on a phone. */
  const actions = (row: Row, index: number): ReactNode => (
    <span className={styles.actions}>
      {onOpen && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={say('table.open.row', { number: offset + index + 1 })}
          onClick={() => onOpen(row)}
        >
          {say('table.open')}
        </Button>
      )}
      {action?.(row)}
    </span>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll a wide table
    <section className={styles.scroll} tabIndex={0} aria-label={label}>
      <Table striped highlightOnHover aria-label={label} className={styles.table}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Head key={column.name} {...{ column, sorting, unsorted }} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => (
            <Table.Tr key={String(row.id)}>
              {columns.map((column, at) => (
                <Cell key={column.name} column={column} row={row}>
                  {at === 0 && actions(row, index)}
                </Cell>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
};
