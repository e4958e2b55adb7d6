/**
 * Page to make, list and cancel connect links. With `?repair=<connection>` it makes a link for the owner of that
 * connection.
 */
import { Anchor, Stack, Text } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { api, must } from '../api/client.ts';
import { usePages } from '../api/use-pages.ts';
import { useConnection } from '../connections/connection-queries.ts';
import { Problem } from '../problem/problem.tsx';
import { Read } from '../problem/read.tsx';
import { MoreRows } from '../shell/more-rows.tsx';
import { Page } from '../shell/page.tsx';
import { CreateLink } from './create-link.tsx';
import { LinkTable } from './link-table.tsx';
import { linkTexts } from './texts.ts';

const useLinks = () =>
  usePages(['connect-links'], (query, signal) => must(api.GET('/connect-links', { params: { query }, signal })));

const Links = () => {
  const query = useLinks();
  const { data, error, refetch } = query;
  return (
    <Stack>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data && <LinkTable links={data.pages.flatMap((page) => page.data)} />}
      <MoreRows query={query} />
    </Stack>
  );
};

const Repair = ({ id }: { id: string }) => {
  const say = linkTexts.useTexts();
  const connection = useConnection(id);
  return (
    <Stack>
      <Read query={connection}>{(found) => <CreateLink repaired={found} />}</Read>
      <Anchor component={Link} to="/links" size="sm">
        {say('repair.other')}
      </Anchor>
    </Stack>
  );
};

export const Component = () => {
  const say = linkTexts.useTexts();
  const repaired = useSearchParams()[0].get('repair');
  return (
    <Page title={say('title')}>
      <Text>{say('intro')}</Text>
      {repaired === null ? <CreateLink /> : <Repair key={repaired} id={repaired} />}
      <Links />
    </Page>
  );
};
