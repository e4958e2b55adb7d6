/** The month matrix: companies, or the scopes of one company, by month. */
import { Anchor, Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { nowMs } from '../clock.ts';
import { useAddress, without, withValue } from '../data/use-address.ts';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import { useIsPhone } from '../shell/use-is-phone.ts';
import { count } from '../text/format.ts';
import { addMonths, listMonths, monthAt } from '../text/month.ts';
import type { AskedMonths } from './cells.ts';
import { CONNECTIONS_STEP, type CoverageOfAll, coverageQuery } from './coverage-query.ts';
import { Matrix } from './matrix.tsx';
import {
  countUrgent,
  countWithoutMonths,
  filterRows,
  findName,
  listCompanyRows,
  listScopeRows,
} from './matrix-rows.ts';
import { MonthDetail, type ShownCell } from './month-detail.tsx';
import styles from './months.module.css';
import { Legend } from './state-sign.tsx';
import { SyncPanel } from './sync-panel.tsx';
import { monthTexts } from './texts.ts';

/** The API returns at most 36 months. */
const RANGES = [12, 24, 36] as const;
const ROWS_STEP = 50;

const readRange = (text: string | null): number => RANGES.find((each) => String(each) === text) ?? RANGES[0];

const Filters = () => {
  const say = monthTexts.useTexts();
  const [address, setAddress] = useAddress();
  const change = (name: string, value: string): void =>
    setAddress(value === '' ? without(name) : withValue(name, value));
  const isOne = address.has('of');
  return (
    <Group align="flex-end">
      {!isOne && (
        <TextInput
          className={styles.search}
          type="search"
          label={say('filter.text')}
          value={address.get('q') ?? ''}
          onChange={({ currentTarget }) => change('q', currentTarget.value)}
        />
      )}
      <NativeSelect
        label={say('filter.months')}
        value={String(readRange(address.get('months')))}
        onChange={({ currentTarget }) => change('months', currentTarget.value)}
        data={RANGES.map((number) => ({ value: String(number), label: say('filter.last', { number: count(number) }) }))}
      />
      {!isOne && (
        <Checkbox
          label={say('filter.urgent')}
          checked={address.has('urgent')}
          onChange={({ currentTarget }) => change('urgent', currentTarget.checked ? 'yes' : '')}
        />
      )}
    </Group>
  );
};

interface ViewProps {
  coverage: CoverageOfAll;
  asked: AskedMonths;
}

/** Shows the first rows, and a button for the next ones. */
const Rows = ({
  rows,
  asked,
  head,
}: {
  rows: ReturnType<typeof listCompanyRows>;
  asked: AskedMonths;
  head: string;
}) => {
  const say = monthTexts.useTexts();
  const [most, setMost] = useState(ROWS_STEP);
  const [shown, show] = useState<ShownCell | null>(null);
  const isPhone = useIsPhone();
  const listed = rows.slice(0, most);
  return (
    <Stack gap="sm">
      <Matrix rows={listed} months={asked.months} head={head} onOpen={(row, cell) => show({ row, cell })} />
      {!isPhone && (
        <Text size="sm" c="dimmed">
          {say('table.help')}
        </Text>
      )}
      {rows.length > listed.length && (
        <Group>
          <Text size="sm">{say('more.rows', { shown: count(listed.length), total: count(rows.length) })}</Text>
          <Button size="xs" variant="default" onClick={() => setMost(most + ROWS_STEP)}>
            {say('more.rows.action')}
          </Button>
        </Group>
      )}
      <MonthDetail shown={shown} onClose={() => show(null)} />
    </Stack>
  );
};

const Companies = ({ coverage: { connections }, asked }: ViewProps) => {
  const say = monthTexts.useTexts();
  const [address] = useAddress();
  const all = useMemo(() => listCompanyRows(connections, asked), [connections, asked]);
  const rows = filterRows(all, { text: address.get('q') ?? '', isUrgentOnly: address.has('urgent') });
  const without = countWithoutMonths(connections, asked);
  return (
    <>
      <Text size="sm">
        {say('companies', { count: all.length, number: count(all.length) })} ·{' '}
        {say('companies.urgent', { number: count(countUrgent(all)) })}. {say('companies.connections')}
      </Text>
      <SyncPanel parts={rows.flatMap(({ parts }) => parts)} />
      {rows.length === 0 ? (
        <Text>{say(all.length === 0 ? 'empty' : 'empty.filter')}</Text>
      ) : (
        <Rows rows={rows} asked={asked} head={say('company')} />
      )}
      {without > 0 && <Text size="sm">{say('without', { count: without, number: count(without) })}</Text>}
    </>
  );
};

const Scopes = ({ coverage: { connections }, asked, of }: ViewProps & { of: string }) => {
  const say = monthTexts.useTexts();
  const rows = useMemo(() => listScopeRows(connections, of, asked), [connections, of, asked]);
  return (
    <>
      <Anchor component={Link} to="/months" size="sm">
        {say('all')}
      </Anchor>
      {rows.length === 0 ? (
        <Text>{say('empty')}</Text>
      ) : (
        <>
          <SyncPanel parts={rows.flatMap(({ parts }) => parts)} />
          <Rows rows={rows} asked={asked} head={say('scope')} />
        </>
      )}
    </>
  );
};

export const Component = () => {
  const say = monthTexts.useTexts();
  const [address] = useAddress();
  const [connectionsMax, setConnectionsMax] = useState(CONNECTIONS_STEP);
  const current = monthAt(nowMs());
  const number = readRange(address.get('months'));
  const first = addMonths(current, 1 - number);
  const asked = useMemo(() => ({ months: listMonths(first, current), current }), [first, current]);
  const query = useQuery({
    ...coverageQuery({ first, last: current, connectionsMax }),
    placeholderData: keepPreviousData,
  });
  const of = address.get('of');
  const name = of === null ? undefined : findName(query.data?.connections ?? [], of);
  return (
    <Page title={name === undefined ? say('title') : say('title.of', { name })}>
      <Text>{say('intro')}</Text>
      <Filters />
      <Read query={query}>
        {(coverage) => (
          <>
            {of === null ? (
              <Companies coverage={coverage} asked={asked} />
            ) : (
              <Scopes coverage={coverage} asked={asked} of={of} />
            )}
            {coverage.total > coverage.connections.length && (
              <Group>
                <Text size="sm">
                  {say('more.connections', {
                    shown: count(coverage.connections.length),
                    total: count(coverage.total),
                  })}
                </Text>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => setConnectionsMax(connectionsMax + CONNECTIONS_STEP)}
                >
                  {say('more.connections.action')}
                </Button>
              </Group>
            )}
          </>
        )}
      </Read>
      <Stack gap="xs" component="section">
        <Title order={2} size="h4">
          {say('legend')}
        </Title>
        <Legend />
        <Text size="sm">{say('meaning.joined')}</Text>
      </Stack>
    </Page>
  );
};
