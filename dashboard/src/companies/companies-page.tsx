/** The home page: what needs attention first, then all connections by company. */
import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { Connection } from '../api/client.ts';
import { nowMs } from '../clock.ts';
import { Pager } from '../data/pager.tsx';
import { useAddress } from '../data/use-address.ts';
import { Loading } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import { useIsPhone } from '../shell/use-is-phone.ts';
import { count } from '../text/format.ts';
import { AwayNotice } from './away-notice.tsx';
import { CompanyLines } from './company-lines.tsx';
import { CompanyTable } from './company-table.tsx';
import { groupCompanies } from './group-companies.ts';
import { ListFilters, PartLinks } from './list-filters.tsx';
import { type ConnectionPage, type StayingList, useConnectionLists } from './list-queries.ts';
import { isBehind } from './next-step.ts';
import { companyTexts } from './texts.ts';
import { FIRST_SIZE, type ListView, readView, withChoice, withOffset, withoutChoices } from './view.ts';

const Companies = ({ label, connections }: { label: string; connections: readonly Connection[] }) => {
  const List = useIsPhone() ? CompanyLines : CompanyTable;
  return <List label={label} companies={groupCompanies(connections)} nowMs={nowMs()} />;
};

/** The connections that need attention, above all others. */
const Attention = ({ page, address }: { page: ConnectionPage; address: URLSearchParams }) => {
  const say = companyTexts.useTexts();
  const { data, pagination } = page;
  const { total } = pagination;
  if (total === 0) return null;
  const title = say('attention.title', { count: total, number: count(total) });
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Companies label={title} connections={data.slice(0, FIRST_SIZE)} />
      {total > FIRST_SIZE && (
        <Text size="sm">
          {say('attention.first', { shown: count(FIRST_SIZE) })}{' '}
          <Anchor component={Link} to={`?${withChoice(address, 'show', 'attention')}`}>
            {say('attention.all', { number: count(total) })}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
};

const Shown = ({ page, connections }: { page: ConnectionPage; connections: readonly Connection[] }) => {
  const say = companyTexts.useTexts();
  const companies = groupCompanies(connections).length;
  if (page.pagination.has_more || page.pagination.offset > 0) return null;
  return (
    <Text size="sm" role="status">
      {say('shown.all', {
        companies: say('companies', { count: companies, number: count(companies) }),
        count: connections.length,
        number: count(connections.length),
      })}
    </Text>
  );
};

interface ListProps {
  view: ListView;
  list: StayingList & { page: ConnectionPage };
  onPage: (offset: number) => void;
}

const emptyText = ({ part, filter }: ListView, total: number) => {
  if (part === 'months' && total > 0) return 'empty.months';
  if (Object.keys(filter).length > 0) return 'empty.filtered';
  return part === 'attention' ? 'empty.attention' : 'empty';
};

const TITLES = { all: 'all.title', months: 'months.title' } as const;

/** The chosen part of the list, one page of it. */
const List = ({ view, list, onPage }: ListProps) => {
  const say = companyTexts.useTexts();
  const { part } = view;
  const { data, pagination } = list.page;
  const { total, limit, offset, has_more: hasMore } = pagination;
  const connections = part === 'months' ? data.filter((each) => isBehind(each, nowMs())) : data;
  const title =
    part === 'attention' ? say('attention.title', { count: total, number: count(total) }) : say(TITLES[part]);
  const isPaged = hasMore || offset > 0;
  const range = { from: count(offset + 1), to: count(offset + data.length), total: count(total) };
  return (
    <Stack gap="sm" aria-busy={list.isEarlier}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {connections.length === 0 ? (
        <Text>{say(emptyText(view, total))}</Text>
      ) : (
        <>
          <Shown page={list.page} connections={connections} />
          <Companies label={title} connections={connections} />
        </>
      )}
      {part === 'months' && isPaged && <Text size="sm">{say('part.months.limit', range)}</Text>}
      {isPaged && <Pager total={total} shown={data.length} limit={limit} offset={offset} onPage={onPage} />}
    </Stack>
  );
};

export const Component = () => {
  const say = companyTexts.useTexts();
  const [address, changeAddress] = useAddress();
  const view = readView(address);
  const { all, attention } = useConnectionLists(view);
  const list = view.part === 'attention' ? attention : all;
  const counts = {
    all: all.page?.pagination.total,
    attention: attention.page?.pagination.total,
    months: all.page?.data.filter((each) => isBehind(each, nowMs())).length,
  };
  const connect = (
    <Button component={Link} to="/connections/new">
      {say('new')}
    </Button>
  );
  return (
    <Page title={say('title')} actions={connect}>
      <ListFilters
        filter={view.filter}
        onChoose={(name, value) => changeAddress((before) => withChoice(before, name, value))}
        onClear={() => changeAddress(withoutChoices)}
      />
      <PartLinks
        part={view.part}
        address={address}
        counts={counts}
        isPaged={(all.page?.pagination.total ?? 0) > (all.page?.data.length ?? 0)}
      />
      <AwayNotice list={all.error === null ? attention : all} />
      {view.part === 'all' && attention.page && <Attention page={attention.page} address={address} />}
      {list.page ? (
        <List
          view={view}
          list={{ ...list, page: list.page }}
          onPage={(offset) => changeAddress((before) => withOffset(before, offset))}
        />
      ) : (
        list.error === null && <Loading />
      )}
    </Page>
  );
};
