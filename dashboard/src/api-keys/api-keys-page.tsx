/** Page to create, list and revoke API keys, which programs use. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, must } from '../api/client.ts';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import { CreateKeyForm } from './create-key-form.tsx';
import { KeyTable } from './key-table.tsx';
import { apiKeyTexts } from './texts.ts';

export const Component = () => {
  const say = apiKeyTexts.useTexts();
  const query = useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => must(api.GET('/api-keys', { signal })),
  });
  return (
    <Page title={say('title')}>
      <Text>{say('intro')}</Text>
      <CreateKeyForm />
      <Read query={query}>{({ data }) => <KeyTable keys={data} />}</Read>
    </Page>
  );
};
