/** The table of a wide screen: one block of rows for each company. */
import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Connection } from '../api/client.ts';
import { nextSync } from '../connections/sync-times.ts';
import { month } from '../text/month.ts';
import styles from './companies.module.css';
import type { Company } from './group-companies.ts';
import { findNextStep, findState, isReadByMonth } from './next-step.ts';
import { StateBadge, StepWithReason } from './step-link.tsx';
import { companyTexts } from './texts.ts';

const COLUMNS = ['company', 'connection', 'status', 'month', 'next', 'todo'] as const;

/** Returns the last complete month, or why no month is shown. */
export const lastMonth = (connection: Connection): string => {
  const { last_complete_period: last } = connection;
  if (last !== undefined) return month(last);
  return companyTexts.say(isReadByMonth(connection) ? 'month.unknown' : 'month.daily');
};

/** The connection's name, and its institution unless the name says it. */
export const ConnectionName = ({ connection, company }: { connection: Connection; company: Company }) => {
  const { id, name, external_source_name: source } = connection;
  const isPlain = name === company.name || name === source;
  return (
    <>
      <Anchor
        component={Link}
        to={`/connections/${id}`}
        size="sm"
        aria-label={isPlain ? `${source}: ${company.name}` : undefined}
      >
        {isPlain ? source : name}
      </Anchor>
      {!isPlain && (
        <Text size="xs" c="dimmed">
          {source}
        </Text>
      )}
    </>
  );
};

const Cells = ({ connection, company, nowMs }: { connection: Connection; company: Company; nowMs: number }) => {
  const say = companyTexts.useTexts();
  const step = findNextStep(connection, nowMs);
  const about = `${company.name}, ${connection.external_source_name}`;
  return (
    <>
      <Table.Td className={styles.connection}>
        <ConnectionName connection={connection} company={company} />
      </Table.Td>
      <Table.Td className={styles.state}>
        <StateBadge state={findState(connection)} />
      </Table.Td>
      <Table.Td className={styles.short}>{lastMonth(connection)}</Table.Td>
      <Table.Td className={styles.short}>{nextSync(connection)}</Table.Td>
      <Table.Td className={styles.todo}>
        {step === null ? (
          <Text size="sm" c="dimmed">
            {say('step.nothing')}
          </Text>
        ) : (
          <StepWithReason step={step} connection={connection} about={about} />
        )}
      </Table.Td>
    </>
  );
};

const CompanyRows = ({ company, nowMs }: { company: Company; nowMs: number }) => {
  const say = companyTexts.useTexts();
  const { name, rut, connections } = company;
  return (
    <Table.Tbody>
      {connections.map((connection, at) => (
        <Table.Tr key={connection.id}>
          {at === 0 && (
            <Table.Th scope="rowgroup" rowSpan={connections.length} className={styles.company}>
              <Text size="sm" fw={600}>
                {name}
              </Text>
              {rut !== null && (
                <Text size="xs" c="dimmed">
                  {say('rut', { rut })}
                </Text>
              )}
            </Table.Th>
          )}
          <Cells connection={connection} company={company} nowMs={nowMs} />
        </Table.Tr>
      ))}
    </Table.Tbody>
  );
};

export interface CompanyListProps {
  /** Accessible name of the list. */
  label: string;
  companies: readonly Company[];
  nowMs: number;
}

export const CompanyTable = ({ label, companies, nowMs }: CompanyListProps) => {
  const say = companyTexts.useTexts();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll a wide table
    <section tabIndex={0} aria-label={label} className={styles.scroll}>
      <Table aria-label={label} className={styles.table}>
        <Table.Thead>
          <Table.Tr>
            {COLUMNS.map((column) => (
              <Table.Th key={column} scope="col">
                {say(`column.${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        {companies.map((company) => (
          <CompanyRows key={company.key} company={company} nowMs={nowMs} />
        ))}
      </Table>
    </section>
  );
};
