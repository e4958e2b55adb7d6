/**
 * A table that may be wider than the page and can also be scrolled by keyboard. On a phone it is a list, so that no
 * column is out of view: a line of a row has the column's head and the cell.
 */
import { Table, Text } from '@mantine/core';
import { Children, createContext, type ReactNode, useContext } from 'react';
import { useIsPhone } from './use-is-phone.ts';
import styles from './wide-table.module.css';

interface WideTableProps {
  label: string;
  head: readonly string[];
  /** Shown instead of a table without rows. */
  empty?: string;
  /** True if all cells but the first are amounts, which are aligned right. */
  isOfAmounts?: boolean;
  /** The rows, as `WideRow`. */
  children: ReactNode;
}

interface Layout extends Pick<WideTableProps, 'head'> {
  isPhone: boolean;
}

const TableLayout = createContext<Layout>({ head: [], isPhone: false });

export const WideTable = ({ label, head, empty, isOfAmounts = false, children }: WideTableProps) => {
  const isPhone = useIsPhone();
  if (empty !== undefined && Children.count(children) === 0) return <Text>{empty}</Text>;
  return (
    <TableLayout value={{ head, isPhone }}>
      {isPhone ? (
        <ul aria-label={label} className={styles.list} data-amounts={isOfAmounts}>
          {children}
        </ul>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll a wide table
        <section tabIndex={0} aria-label={label} className={styles.frame}>
          <Table aria-label={label} className={styles.table} data-amounts={isOfAmounts}>
            <Table.Thead>
              <Table.Tr>
                {head.map((name) => (
                  <Table.Th key={name} scope="col">
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>{children}</Table.Tbody>
          </Table>
        </section>
      )}
    </TableLayout>
  );
};

/** A cell that may take several lines, because it has a sentence or an identifier. */
export const WrappedCell = ({ children }: { children: ReactNode }) => <div className={styles.wrapped}>{children}</div>;

interface WideRowProps {
  /** Column whose cell names the row; 0 by default. */
  named?: number;
  /** Shown below the row, over the whole width. */
  below?: ReactNode;
  /** Cells in the order of the columns. An empty cell is not shown on a phone. */
  children: ReactNode;
}

/** `Children` turns undefined and booleans into null. */
const isEmpty = (cell: ReactNode): boolean => cell === null || cell === '';

const Lines = ({ named, cells, below }: { named: number; cells: readonly ReactNode[]; below: ReactNode }) => {
  const { head } = useContext(TableLayout);
  return (
    <li>
      <div className={styles.name}>{cells[named]}</div>
      <dl>
        {cells.map((cell, at) =>
          at === named || isEmpty(cell) ? null : (
            <div key={head[at]}>
              <dt>{head[at]}</dt>
              <dd>{cell}</dd>
            </div>
          ),
        )}
      </dl>
      {below}
    </li>
  );
};

export const WideRow = ({ named = 0, below, children }: WideRowProps) => {
  const { head, isPhone } = useContext(TableLayout);
  const cells: ReactNode[] = [];
  Children.forEach(children, (cell) => void cells.push(cell));
  if (isPhone) return <Lines {...{ named, cells, below }} />;
  return (
    <>
      <Table.Tr>
        {cells.map((cell, at) =>
          at === named ? (
            <Table.Th key={head[at]} scope="row">
              {cell}
            </Table.Th>
          ) : (
            <Table.Td key={head[at]}>{cell}</Table.Td>
          ),
        )}
      </Table.Tr>
      {below && (
        <Table.Tr>
          <Table.Td colSpan={head.length}>{below}</Table.Td>
        </Table.Tr>
      )}
    </>
  );
};
