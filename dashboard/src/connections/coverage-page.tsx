/** The stored months of each scope of a connection, and whether they match the institution's own totals. */
import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, type Connection, must } from '../api/client.ts';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import { common } from '../text/common-texts.ts';
import { instant } from '../text/format.ts';
import { CoverageDetail, type ShownMonth } from './coverage-detail.tsx';
import { CoverageTable, type ScopeCoverage } from './coverage-table.tsx';
import { coverageTexts } from './coverage-texts.ts';
import { Facts } from './facts.tsx';
import { OfConnection } from './of-connection.tsx';
import { RunStatus } from './status-badge.tsx';

interface ScopeProps {
  coverage: ScopeCoverage;
  label: string;
  /** True if the rows of this scope are stored by tender, so that the scope has no months. */
  isByTender: boolean;
  onShow(month: ShownMonth): void;
}

const Months = ({ coverage, label, isByTender, onShow }: ScopeProps) => {
  const say = coverageTexts.useTexts();
  const { last_attempt: attempt, periods, scope } = coverage;
  if (attempt === null) return <Text size="sm">{say('scope.never')}</Text>;
  if (periods.length === 0) return <Text size="sm">{say(isByTender ? 'scope.tenders' : 'scope.none')}</Text>;
  return <CoverageTable label={label} periods={periods} onShow={(period) => onShow({ scope, label, period })} />;
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
  const [shown, show] = useState<ShownMonth | null>(null);
  const { id, name, scopes } = connection;
  const query = useQuery({
    queryKey: ['connections', id, 'coverage'],
    queryFn: ({ signal }) => must(api.GET('/connections/{id}/coverage', { params: { path: { id } }, signal })),
  });
  const ofTenders = new Set(scopes.filter((scope) => !isOfConnection(scope)).map((scope) => scope.name));
  const labels = new Map(scopes.map((scope) => [scope.name, scope.label]));
  const back = (
    <Button component={Link} to={`/connections/${id}`} variant="default">
      {common.say('action.back')}
    </Button>
  );
  return (
    <Page title={say('title', { name })} actions={back}>
      <Text>{say('intro')}</Text>
      <Read query={query}>
        {({ data }) =>
          data.map((coverage) => (
            <Scope
              key={coverage.scope}
              coverage={coverage}
              label={labels.get(coverage.scope) ?? coverage.scope}
              isByTender={ofTenders.has(coverage.scope)}
              onShow={show}
            />
          ))
        }
      </Read>
      <CoverageDetail connectionId={id} month={shown} onClose={() => show(null)} />
    </Page>
  );
};

export const Component = () => <OfConnection>{(connection) => <Coverage connection={connection} />}</OfConnection>;
