/** All available data: every scope of every connection, in pages. */
import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { Connection } from '../api/client.ts';
import { AwayNotice } from '../companies/away-notice.tsx';
import { ListFilters } from '../companies/list-filters.tsx';
import { type ConnectionPage, type StayingList, useStayingList } from '../companies/list-queries.ts';
import { findState } from '../companies/next-step.ts';
import { StateBadge } from '../companies/step-link.tsx';
import { companyTexts } from '../companies/texts.ts';
import { readView, withChoice, withOffset, withoutChoices } from '../companies/view.ts';
import { Loading } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import styles from './data.module.css';
import { Pager } from './pager.tsx';
import { dataTexts } from './texts.ts';
import { useAddress } from './use-address.ts';
import { scopeWord } from './words.ts';

const CARDS = 50;

const ConnectionCard = ({ connection }: { connection: Connection }) => {
  const say = dataTexts.useTexts();
  const { id, name, external_source_code, external_source_name, scopes } = connection;
  return (
    <Card withBorder component="article" aria-label={say('choose.scopes', { name })}>
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          {name}
        </Title>
        <StateBadge state={findState(connection)} />
      </Group>
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

const NoConnections = ({ isFiltered }: { isFiltered: boolean }) => {
  const say = dataTexts.useTexts();
  if (isFiltered) return <Text>{companyTexts.say('empty.filtered')}</Text>;
  return (
    <Group>
      <Text>{say('choose.none')}</Text>
      <Anchor component={Link} to="/connections">
        {say('choose.connect')}
      </Anchor>
    </Group>
  );
};

interface CardsProps {
  list: StayingList & { page: ConnectionPage };
  isFiltered: boolean;
  onPage: (offset: number) => void;
}

const Cards = ({ list, isFiltered, onPage }: CardsProps) => {
  const { data, pagination } = list.page;
  const { total, limit, offset, has_more: hasMore } = pagination;
  if (data.length === 0 && offset === 0) return <NoConnections isFiltered={isFiltered} />;
  return (
    <Stack aria-busy={list.isEarlier}>
      {data.map((connection) => (
        <ConnectionCard key={connection.id} connection={connection} />
      ))}
      {(hasMore || offset > 0) && <Pager {...{ total, limit, offset, onPage }} shown={data.length} />}
    </Stack>
  );
};

export const Component = () => {
  const [address, changeAddress] = useAddress();
  const { filter, offset } = readView(address);
  const list = useStayingList({ ...filter, sort: 'company', limit: CARDS, offset });
  return (
    <Page title={dataTexts.useTexts()('title')}>
      <ListFilters
        filter={filter}
        onChoose={(name, value) => changeAddress((before) => withChoice(before, name, value))}
        onClear={() => changeAddress(withoutChoices)}
      />
      <AwayNotice list={list} />
      {list.page ? (
        <Cards
          list={{ ...list, page: list.page }}
          isFiltered={Object.keys(filter).length > 0}
          onPage={(next) => changeAddress((before) => withOffset(before, next))}
        />
      ) : (
        list.error === null && <Loading />
      )}
    </Page>
  );
};
