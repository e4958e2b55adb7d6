/**
 * The table of rows and months. One cell takes part in the tab order, and the arrow keys move between cells, so that a
 * keyboard passes a large table in one step.
 */
import { Anchor, Text } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { scopeWord } from '../data/words.ts';
import { count } from '../text/format.ts';
import { month } from '../text/month.ts';
import { rutWithDots } from '../text/rut.ts';
import type { MonthCell } from './cells.ts';
import type { MatrixRow } from './matrix-rows.ts';
import styles from './months.module.css';
import { StateSign } from './state-sign.tsx';
import { monthTexts } from './texts.ts';

/** Returns the name of the row: the company, or the scope with its connection. */
export const rowName = ({ name, scope }: MatrixRow): string =>
  scope === null ? name : `${scopeWord(scope.source, scope.name, scope.name)}, ${name}`;

/** Steps in rows and months of the keys that move between cells. */
const STEPS: Readonly<Record<string, readonly [rows: number, months: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

const RowName = ({ row }: { row: MatrixRow }) => {
  const say = monthTexts.useTexts();
  const { key, name, rut, scope, connectionIds } = row;
  if (scope !== null)
    return (
      <>
        <Text size="sm" fw={600}>
          {scopeWord(scope.source, scope.name, scope.name)}
        </Text>
        <Anchor component={Link} to={`/connections/${connectionIds[0]}/coverage`} size="xs">
          {name}
        </Anchor>
      </>
    );
  return (
    <>
      <Anchor component={Link} to={`/months?${new URLSearchParams({ of: key })}`} size="sm" fw={600}>
        {name}
      </Anchor>
      <Text size="xs" c="dimmed">
        {rut !== null && `${rutWithDots(rut)} · `}
        {say('connections', { count: connectionIds.length, number: count(connectionIds.length) })}
      </Text>
    </>
  );
};

interface MatrixProps {
  rows: readonly MatrixRow[];
  months: readonly string[];
  /** Name of the first column. */
  head: string;
  onOpen(row: MatrixRow, cell: MonthCell): void;
}

export const Matrix = ({ rows, months, head, onOpen }: MatrixProps) => {
  const say = monthTexts.useTexts();
  const body = useRef<HTMLTableSectionElement>(null);
  const [[activeRow, activeMonth], setActive] = useState<readonly [number, number]>([0, 0]);
  // Filters may remove the row of the active cell.
  const tabRow = Math.min(activeRow, rows.length - 1);
  const tabMonth = Math.min(activeMonth, months.length - 1);

  const move = (event: KeyboardEvent, at: readonly [number, number]): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const cells = body.current?.rows[at[0] + step[0]]?.querySelectorAll('button');
    cells?.[at[1] + step[1]]?.focus();
  };
  return (
    <section className={styles.frame} aria-label={say('table')}>
      <table className={styles.matrix} aria-label={say('table')}>
        <thead>
          <tr>
            <th scope="col" className={styles.name}>
              {head}
            </th>
            {months.map((period) => (
              <th key={period} scope="col">
                {month(period)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, rowAt) => (
            <tr key={row.key}>
              <th scope="row" className={styles.name}>
                <RowName row={row} />
              </th>
              {row.cells.map((cell, monthAt) => (
                <td key={cell.period}>
                  <button
                    type="button"
                    className={`${styles.cell} ${styles.state}`}
                    data-state={cell.state}
                    tabIndex={rowAt === tabRow && monthAt === tabMonth ? 0 : -1}
                    aria-label={say('cell.label', {
                      state: say(`state.${cell.state}`),
                      month: month(cell.period),
                      row: rowName(row),
                    })}
                    onFocus={() => setActive([rowAt, monthAt])}
                    onKeyDown={(event) => move(event, [rowAt, monthAt])}
                    onClick={() => onOpen(row, cell)}
                  >
                    <StateSign state={cell.state} />
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
