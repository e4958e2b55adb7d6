/** One scope of one connection, with links to the connection's other scopes. */
import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { api, type Connection, must, readJson } from '../api/client.ts';
import { coverageTexts } from '../connections/coverage-texts.ts';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import { findBalances, mapCurrencies, withCurrencyField } from './account-currencies.ts';
import styles from './data.module.css';
import { listFilters } from './filters.ts';
import { findResource, isBelowTender, pathWith } from './find-resource.ts';
import type { Resource, Row } from './resource.ts';
import type { ScopeList } from './scope-list.ts';
import { ScopeView } from './scope-view.tsx';
import { TenderView } from './tender/tender-view.tsx';
import { dataTexts } from './texts.ts';
import { scopeWord } from './words.ts';

const Scopes = ({ connection, current }: { connection: Connection; current: string }) => {
  const say = dataTexts.useTexts();
  if (connection.scopes.length < 2) return null;
  return (
    <nav aria-label={say('scopes.label')}>
      <ul className={styles.scopes}>
        {connection.scopes.map(({ name, label }) => (
          <li key={name}>
            <Anchor
              component={Link}
              to={`/data/${connection.id}/${name}`}
              aria-current={name === current ? 'page' : undefined}
              fw={name === current ? 700 : undefined}
            >
              {scopeWord(connection.external_source_code, name, label)}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** Shows the rows of accounts after the accounts' currencies are known, or after the request for balances failed. */
const AccountScope = ({ list, balances }: { list: ScopeList; balances: Resource }) => {
  const say = dataTexts.useTexts();
  const path = pathWith(balances.path, list.connectionId);
  const query = useQuery({
    queryKey: ['account-currencies', path],
    queryFn: ({ signal }) => readJson<{ data: Row[] }>(path, new URLSearchParams({ latest: 'true' }), signal),
    select: ({ data }) => mapCurrencies(data),
  });
  if (query.data === undefined && query.error !== null)
    return (
      <>
        <Text role="alert">{say('currencies.unknown')}</Text>
        <ScopeView list={{ ...list, resource: withCurrencyField(list.resource), currencies: new Map() }} />
      </>
    );
  return (
    <Read query={query}>
      {(currencies) => <ScopeView list={{ ...list, resource: withCurrencyField(list.resource), currencies }} />}
    </Read>
  );
};

const Scope = ({ connection, scope }: { connection: Connection; scope: string }) => {
  const say = dataTexts.useTexts();
  const source = connection.external_source_code;
  const descriptor = connection.scopes.find(({ name }) => name === scope);
  const resource = findResource(source, scope);
  if (!descriptor || !resource) return <Text>{say('scope.unknown')}</Text>;
  const title = scopeWord(source, scope, descriptor.label);
  const known = { resource, connectionId: connection.id, title, filters: listFilters(descriptor.filters) };
  if (isBelowTender(resource)) return <TenderView key={scope} known={known} connection={connection} />;
  const list = { ...known, path: pathWith(resource.path, connection.id) };
  const balances = findBalances(resource);
  if (balances === null) return <ScopeView key={list.path} list={list} />;
  return <AccountScope key={list.path} list={list} balances={balances} />;
};

export const Component = () => {
  const say = dataTexts.useTexts();
  const { connectionId = '', scope = '' } = useParams();
  const query = useQuery({
    queryKey: ['connections', connectionId],
    queryFn: ({ signal }) => must(api.GET('/connections/{id}', { params: { path: { id: connectionId } }, signal })),
  });
  const connection = query.data?.data;
  const descriptor = connection?.scopes.find(({ name }) => name === scope);
  const title =
    connection && descriptor ? scopeWord(connection.external_source_code, scope, descriptor.label) : say('title');
  return (
    <Page
      title={connection ? `${title} · ${connection.name}` : title}
      actions={
        <Group>
          {connection && (
            <Anchor component={Link} to={`/connections/${connection.id}/coverage`}>
              {coverageTexts.say('action')}
            </Anchor>
          )}
          <Anchor component={Link} to="/data">
            {say('all-data')}
          </Anchor>
        </Group>
      }
    >
      <Read query={query}>
        {({ data }) => (
          <>
            <Group>
              <Scopes connection={data} current={scope} />
            </Group>
            <Scope connection={data} scope={scope} />
          </>
        )}
      </Read>
    </Page>
  );
};
