/** One connection: status, sync now, schedule, data, last runs, and actions. */
import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { Connection } from '../api/client.ts';
import { Page } from '../shell/page.tsx';
import styles from './connections.module.css';
import { coverageTexts } from './coverage-texts.ts';
import { Facts } from './facts.tsx';
import { ManageCard } from './manage-card.tsx';
import { OfConnection } from './of-connection.tsx';
import { RunList } from './run-list.tsx';
import { ScheduleCard } from './schedule-card.tsx';
import { ConnectionStatus } from './status-badge.tsx';
import { SyncCard } from './sync-card.tsx';
import { lastSync, nextSync } from './sync-times.ts';
import { connectionTexts } from './texts.ts';
import { AttentionNotices, WaitingForApproval, WhatToDo } from './what-to-do.tsx';

const ScopesCard = ({ connection }: { connection: Connection }) => {
  const say = connectionTexts.useTexts();
  return (
    <Paper withBorder p="md" radius="md" component="section">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {say('detail.scopes')}
        </Title>
        <ul className={styles.list}>
          {connection.scopes.map(({ name, label }) => (
            <li key={name}>
              <Group justify="space-between" gap="xs">
                <Text size="sm">{label}</Text>
                <Anchor
                  component={Link}
                  to={`/data/${connection.id}/${name}`}
                  size="sm"
                  aria-label={`${say('detail.read')}: ${label}`}
                >
                  {say('detail.read')}
                </Anchor>
              </Group>
            </li>
          ))}
        </ul>
        <Anchor component={Link} to={`/connections/${connection.id}/coverage`} size="sm">
          {coverageTexts.say('action')}
        </Anchor>
        <Anchor component={Link} to={`/connections/${connection.id}/edit`} size="sm">
          {say('detail.edit')}
        </Anchor>
      </Stack>
    </Paper>
  );
};

const Detail = ({ connection }: { connection: Connection }) => {
  const say = connectionTexts.useTexts();
  const credentials = (
    <Button component={Link} to={`/connections/${connection.id}/credentials`} variant="default">
      {say('credentials.action')}
    </Button>
  );
  return (
    <Page title={connection.name} actions={credentials}>
      <Facts
        facts={[
          [say('source'), connection.external_source_name],
          [say('state'), <ConnectionStatus key="status" status={connection.status} />],
          [say('last'), lastSync(connection)],
          [say('next'), nextSync(connection)],
        ]}
      />
      <WaitingForApproval connection={connection} />
      {connection.status === 'error' && <WhatToDo connection={connection} />}
      <AttentionNotices connection={connection} />
      <div className={styles.columns}>
        <SyncCard connection={connection} />
        <Stack gap="md">
          <ScheduleCard connection={connection} />
          <ScopesCard connection={connection} />
        </Stack>
      </div>
      <RunList connection={connection} />
      <ManageCard connection={connection} />
    </Page>
  );
};

export const Component = () => <OfConnection>{(connection) => <Detail connection={connection} />}</OfConnection>;
