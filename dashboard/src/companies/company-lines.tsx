/** The list of a phone: one line for each company, which opens its connections. */
import { Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useId, useState } from 'react';
import { nextSync } from '../connections/sync-times.ts';
import styles from './companies.module.css';
import { type CompanyListProps, ConnectionName, lastMonth } from './company-table.tsx';
import type { Company } from './group-companies.ts';
import { findNextStep, findState, summarize } from './next-step.ts';
import { StateBadge, StepLink, StepWithReason } from './step-link.tsx';
import { companyTexts } from './texts.ts';

const Inside = ({ company, nowMs }: { company: Company; nowMs: number }) => {
  const say = companyTexts.useTexts();
  return company.connections.map((connection) => {
    const step = findNextStep(connection, nowMs);
    const about = `${company.name}, ${connection.external_source_name}`;
    return (
      <li key={connection.id}>
        <Stack gap={4}>
          <Group justify="space-between" gap="xs">
            <div>
              <ConnectionName connection={connection} company={company} />
            </div>
            <StateBadge state={findState(connection)} />
          </Group>
          <Text size="xs">
            {say('column.month')}: {lastMonth(connection)}
          </Text>
          <Text size="xs">
            {say('column.next')}: {nextSync(connection)}
          </Text>
          {step !== null && (
            <div>
              <StepWithReason step={step} connection={connection} about={about} />
            </div>
          )}
        </Stack>
      </li>
    );
  });
};

const Line = ({ company, nowMs }: { company: Company; nowMs: number }) => {
  const say = companyTexts.useTexts();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { state, step, steps } = summarize(company.connections, nowMs);
  const others = steps - 1;
  return (
    <li className={styles.line}>
      <UnstyledButton
        className={styles.head}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden>{isOpen ? '▾' : '▸'}</span>
        <Text component="span" size="sm" fw={600} className={styles.name}>
          {company.name}
        </Text>
        <span className={styles.badge}>
          <StateBadge state={state} />
        </span>
      </UnstyledButton>
      {step !== null && !isOpen && (
        <Group gap="xs" className={styles.next}>
          <StepLink step={step} about={company.name} />
          {others > 0 && (
            <Text size="sm" c="dimmed">
              {say('step.more', { count: others, number: others })}
            </Text>
          )}
        </Group>
      )}
      {isOpen && (
        <ul id={id} className={styles.inside} aria-label={company.name}>
          {company.rut !== null && (
            <Text component="li" size="xs" c="dimmed">
              {say('rut', { rut: company.rut })}
            </Text>
          )}
          <Inside company={company} nowMs={nowMs} />
        </ul>
      )}
    </li>
  );
};

export const CompanyLines = ({ label, companies, nowMs }: CompanyListProps) => (
  <ul className={styles.lines} aria-label={label}>
    {companies.map((company) => (
      <Line key={company.key} company={company} nowMs={nowMs} />
    ))}
  </ul>
);
