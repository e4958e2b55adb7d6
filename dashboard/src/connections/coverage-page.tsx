/** The stored months of each scope of a connection, and whether they match the institution's own totals. */
import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, type Connection, must } from '../api/client.ts';
import { nowMs } from '../clock.ts';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import { common } from '../text/common-texts.ts';
import { instant } from '../text/format.ts';
import { locale } from '../text/language.ts';
import { month } from '../text/month.ts';
import { CoverageDetail } from './coverage-detail.tsx';
import { CoverageTable, type ScopeCoverage } from './coverage-table.tsx';
import { coverageTexts } from './coverage-texts.ts';
import { Facts } from './facts.tsx';
import { OfConnection } from './of-connection.tsx';
import type { ScopeMonth } from './period-figures.tsx';
import { RunStatus } from './status-badge.tsx';
import { listUnasked, type MonthRange } from './unasked-months.ts';

interface ScopeProps {
  connectionId: string;
  source: string;
  coverage: ScopeCoverage;
  label: string;
  /** True if the rows of this scope are stored by tender, so that the scope has no months. */
  isByTender: boolean;
  onShow(month: ScopeMonth): void;
}

const LIST = new Intl.ListFormat(locale);

const rangeText = ({ first, last }: MonthRange): string =>
  first === last ? month(first) : coverageTexts.say('unasked.range', { first: month(first), last: month(last) });

const Months = ({ connectionId, source, coverage, label, isByTender, onShow }: ScopeProps) => {
  const say = coverageTexts.useTexts();
  const { last_attempt: attempt, periods, scope } = coverage;
  if (attempt === null) return <Text size="sm">{say('scope.never')}</Text>;
  if (periods.length === 0) return <Text size="sm">{say(isByTender ? 'scope.tenders' : 'scope.none')}</Text>;
  const of = { connectionId, source, scope, label };
  const unasked = listUnasked(
    periods.map(({ period }) => period),
    nowMs(),
  );
  return (
    <>
      {unasked.length > 0 && (
        <Text size="sm">
          {say('unasked', { months: LIST.format(unasked.map(rangeText)) })}{' '}
          <Anchor component={Link} to={`/months?of=${connectionId}`} size="sm" underline="always">
            {say('unasked.link')}
          </Anchor>
        </Text>
      )}
      <CoverageTable of={of} periods={periods} onShow={(period) => onShow({ ...of, period })} />
    </>
  );
};

const Scope = (props: ScopeProps) => {
  const say = coverageTexts.useTexts();
  const { coverage, label } = props;
  const { last_attempt: attempt, last_success_at: success } = coverage;
  return (
    <Paper withBorder p="md" radius="md" component="section">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {label}
        </Title>
        {attempt !== null && (
          <Facts
            facts={[
              [say('scope.success'), success === null ? common.say('time.never') : instant(success)],
              [
                say('scope.attempt'),
                <span key="attempt">
                  {instant(attempt.finished_at)} <RunStatus status={attempt.status} />
                </span>,
              ],
            ]}
          />
        )}
        <Months {...props} />
      </Stack>
    </Paper>
  );
};

/**
 * True if the scope's data belongs to the connection. Tenders belong to the organization, so their data has another
 * path.
 */
const isOfConnection = ({ data_url: url }: Connection['scopes'][number]): boolean =>
  url?.startsWith('/api/connections/') === true;

const Coverage = ({ connection }: { connection: Connection }) => {
  const say = coverageTexts.useTexts();
  const [shown, show] = useState<ScopeMonth | null>(null);
  const { id, name, scopes, external_source_code: source } = connection;
  const query = useQuery({
    queryKey: ['connections', id, 'coverage'],
    queryFn: ({ signal }) => must(api.GET('/connections/{id}/coverage', { params: { path: { id } }, signal })),
  });
  const ofTenders = new Set(scopes.filter((scope) => !isOfConnection(scope)).map((scope) => scope.name));
  const labels = new Map(scopes.map((scope) => [scope.name, scope.label]));
  const back = (
    <Group gap="xs">
      <Button component={Link} to={`/months?of=${id}`} variant="default">
        {say('matrix')}
      </Button>
      <Button component={Link} to={`/connections/${id}`} variant="default">
        {common.say('action.back')}
      </Button>
    </Group>
  );
  return (
    <Page title={say('title', { name })} actions={back}>
      <Text>{say('intro')}</Text>
      <Read query={query}>
        {({ data }) =>
          data.map((coverage) => (
            <Scope
              key={coverage.scope}
              connectionId={id}
              source={source}
              coverage={coverage}
              label={labels.get(coverage.scope) ?? coverage.scope}
              isByTender={ofTenders.has(coverage.scope)}
              onShow={show}
            />
          ))
        }
      </Read>
      <CoverageDetail shown={shown} onClose={() => show(null)} />
    </Page>
  );
};

export const Component = () => <OfConnection>{(connection) => <Coverage connection={connection} />}</OfConnection>;
