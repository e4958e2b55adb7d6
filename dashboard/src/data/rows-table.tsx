/** Rows in the API's order, with a column for every simple field. */
import { Button, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './data.module.css';
import { inReadingOrder } from './reading-order.ts';
import type { Field, Row } from './resource.ts';
import { isNumeric, shownValue } from './shown-value.ts';
import { dataTexts } from './texts.ts';
import { fieldWord } from './words.ts';

/**
 * True if the field is a column. Ids are not columns, because they mean nothing to a person; nested values are shown
 * only in the detail of a row.
 */
const isColumn = ({ kind }: Field): boolean => kind !== 'id' && kind !== 'object' && kind !== 'list';

/**
 * Returns the columns of the table. Columns without any value on the page are omitted, because they would push other
 * columns out of view.
 */
const columnsOf = (fields: readonly Field[], rows: readonly Row[]): Field[] =>
  inReadingOrder(
    fields.filter((field) => isColumn(field) && rows.some((row) => shownValue(field, row[field.name]) !== null)),
  );

interface RowsTableProps {
  title: string;
  fields: readonly Field[];
  rows: readonly Row[];
  /** Number of rows in all pages before this page; the row numbers for screen readers continue from it. */
  offset: number;
  onOpen?: (row: Row) => void;
  /** Returns a button or link that a row shows in addition to the action that opens the row. */
  action?: (row: Row) => ReactNode;
}

export const RowsTable = ({ title, fields, rows, offset, onOpen, action }: RowsTableProps) => {
  const say = dataTexts.useTexts();
  if (rows.length === 0) return <Text>{say('table.empty')}</Text>;
  const columns = columnsOf(fields, rows);
  const hasActions = onOpen !== undefined || action !== undefined;
  const label = say('table.label', { name: title });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll a wide table
    <section className={styles.scroll} tabIndex={0} aria-label={label}>
      <Table striped highlightOnHover aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {hasActions && <Table.Th>{say('table.actions')}</Table.Th>}
            {columns.map((field) => (
              <Table.Th key={field.name} className={isNumeric(field) ? styles.number : styles.cell}>
                {fieldWord(field.name)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => (
            <Table.Tr key={String(row.id)}>
              {hasActions && (
                <Table.Td className={styles.cell}>
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
                </Table.Td>
              )}
              {columns.map((field) => {
                const text = shownValue(field, row[field.name]);
                return (
                  <Table.Td
                    key={field.name}
                    className={isNumeric(field) ? styles.number : styles.cell}
                    title={text ?? undefined}
                  >
                    {text}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
};
