/** All connections: status, last and next sync, and what to do about a connection in error. */
import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Connection } from '../api/client.ts';
import { connectionsQuery } from '../api/session.ts';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import styles from './connections.module.css';
import { Facts } from './facts.tsx';
import { ConnectionStatus, RunStatus } from './status-badge.tsx';
import { lastSync, nextSync } from './sync-times.ts';
import { connectionTexts } from './texts.ts';
import { AttentionNotices, WhatToDo } from './what-to-do.tsx';

const LIST_MS = 15_000;

const Row = ({ connection }: { connection: Connection }) => {
  const say = connectionTexts.useTexts();
  const { id, name, status, external_source_name: source, last_sync_status: outcome } = connection;
  return (
    <Paper component="li" withBorder p="md" radius="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <div>
            <Anchor component={Link} to={`/connections/${id}`} fw={600}>
              {name}
            </Anchor>
            <Text size="sm" c="dimmed">
              {source}
            </Text>
          </div>
          <ConnectionStatus status={status} />
        </Group>
        <Facts
          facts={[
            [say('last'), lastSync(connection)],
            [say('next'), nextSync(connection)],
            ...(outcome ? [[say('last-status'), <RunStatus key="outcome" status={outcome} />] as const] : []),
          ]}
        />
        {status === 'error' && <WhatToDo connection={connection} />}
        <AttentionNotices connection={connection} />
      </Stack>
    </Paper>
  );
};

export const Component = () => {
  const say = connectionTexts.useTexts();
  const query = useQuery({ ...connectionsQuery, refetchInterval: LIST_MS });
  const connect = (
    <Button component={Link} to="/connections/new">
      {say('list.new')}
    </Button>
  );
  return (
    <Page title={say('list.title')} actions={connect}>
      <Read query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Text>{say('list.empty')}</Text>
          ) : (
            <ul className={styles.list}>
              {data.map((connection) => (
                <Row key={connection.id} connection={connection} />
              ))}
            </ul>
          )
        }
      </Read>
    </Page>
  );
};
