/** A chart, and a table with the exact data of the chart, which screen readers also read. */
import { Table, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './charts.module.css';
import { chartTexts } from './texts.ts';

interface ChartFigureProps {
  title: string;
  note?: string;
  head: readonly string[];
  /** Lines of the table; each cell is the displayed text, and the first cell of a line is the line's heading. */
  lines: readonly (readonly string[])[];
  /** The chart, which is hidden from screen readers because the table contains all the data. */
  children: ReactNode;
}

export const ChartFigure = ({ title, note, head, lines, children }: ChartFigureProps) => {
  const say = chartTexts.useTexts();
  return (
    <figure className={styles.figure}>
      <figcaption>
        <Title order={2} size="h4">
          {title}
        </Title>
        {note}
      </figcaption>
      <div aria-hidden="true" className={styles.drawing}>
        {children}
      </div>
      <details>
        <summary>{say('numbers')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll a wide table */}
        <section className={styles.numbers} tabIndex={0} aria-label={title}>
          <Table aria-label={title}>
            <Table.Thead>
              <Table.Tr>
                {head.map((name, index) => (
                  <Table.Th key={name} className={index === 0 ? undefined : styles.number}>
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines.map(([name = '', ...cells]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row">{name}</Table.Th>
                  {cells.map((cell, index) => (
                    <Table.Td key={head[index + 1]} className={styles.number}>
                      {cell}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      </details>
    </figure>
  );
};
