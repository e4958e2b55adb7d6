/** All available data: every scope of every connection. */
import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, type Connection, must } from '../api/client.ts';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import styles from './data.module.css';
import { dataTexts } from './texts.ts';
import { scopeWord } from './words.ts';

const ConnectionCard = ({ connection }: { connection: Connection }) => {
  const say = dataTexts.useTexts();
  const { id, name, external_source_code, external_source_name, scopes } = connection;
  return (
    <Card withBorder component="section" aria-label={say('choose.scopes', { name })}>
      <Title order={2} size="h4">
        {name}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {external_source_name}
      </Text>
      <ul className={styles.scopes}>
        {scopes.map((scope) => (
          <li key={scope.name}>
            <Anchor component={Link} to={`/data/${id}/${scope.name}`}>
              {scopeWord(external_source_code, scope.name, scope.label)}
            </Anchor>
          </li>
        ))}
      </ul>
    </Card>
  );
};

export const Component = () => {
  const say = dataTexts.useTexts();
  const query = useQuery({
    queryKey: ['connections'],
    queryFn: ({ signal }) => must(api.GET('/connections', { signal })),
  });
  return (
    <Page title={say('title')}>
      <Read query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Group>
              <Text>{say('choose.none')}</Text>
              <Anchor component={Link} to="/connections">
                {say('choose.connect')}
              </Anchor>
            </Group>
          ) : (
            <Stack>
              {data.map((connection) => (
                <ConnectionCard key={connection.id} connection={connection} />
              ))}
            </Stack>
          )
        }
      </Read>
    </Page>
  );
};
