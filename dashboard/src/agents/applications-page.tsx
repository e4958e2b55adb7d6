/** Page for the applications that people of the organization allowed, with a button to revoke each application. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, must } from '../api/client.ts';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import { GrantTable } from './grant-table.tsx';
import { agentTexts } from './texts.ts';

export const Component = () => {
  const say = agentTexts.useTexts();
  const query = useQuery({
    queryKey: ['oauth', 'grants'],
    queryFn: ({ signal }) => must(api.GET('/oauth/grants', { signal })),
  });
  return (
    <Page title={say('title')}>
      <Text>{say('intro')}</Text>
      <Text>{say('intro.one-process')}</Text>
      <Read query={query}>{({ data }) => <GrantTable grants={data} />}</Read>
    </Page>
  );
};
