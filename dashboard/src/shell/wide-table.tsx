/** A table that may be wider than the page and can also be scrolled by keyboard. */
import { Table, Text } from '@mantine/core';
import { Children, type ReactNode } from 'react';

interface WideTableProps {
  label: string;
  head: readonly string[];
  /** Shown instead of a table without rows. */
  empty?: string;
  /** The rows, as `Table.Tr`. */
  children: ReactNode;
}

export const WideTable = ({ label, head, empty, children }: WideTableProps) =>
  empty !== undefined && Children.count(children) === 0 ? (
    <Text>{empty}</Text>
  ) : (
    <Rows {...{ label, head, children }} />
  );

const Rows = ({ label, head, children }: WideTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll a wide table
  <section tabIndex={0} aria-label={label} style={{ overflowX: 'auto' }}>
    <Table aria-label={label} style={{ whiteSpace: 'nowrap' }}>
      <Table.Thead>
        <Table.Tr>
          {head.map((name) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </section>
);
