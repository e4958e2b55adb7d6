/** Page with the organization's trail of changes, newest first. */
import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, must, type Schemas } from '../api/client.ts';
import { sessionQuery } from '../api/session.ts';
import { usePages } from '../api/use-pages.ts';
import { Problem } from '../problem/problem.tsx';
import { MoreRows } from '../shell/more-rows.tsx';
import { Page } from '../shell/page.tsx';
import { WideRow, WideTable } from '../shell/wide-table.tsx';
import { instant } from '../text/format.ts';
import { shortId } from '../text/short-id.ts';
import { useNames } from './target-names.ts';
import { trailTexts } from './texts.ts';

type AuditEvent = Schemas['AuditEvent'];

const COLUMNS = ['at', 'action', 'target', 'author', 'address'] as const;
/** Pages of things that still exist after the change. */
const PAGES: Partial<Record<AuditEvent['target']['kind'], string>> = {
  connection: '/connections',
  webhook: '/webhooks',
};
const GONE: ReadonlySet<AuditEvent['action']> = new Set(['connection.deleted', 'connection.purged', 'webhook.deleted']);

interface EventProps {
  event: AuditEvent;
  /** Name by id. */
  names: ReadonlyMap<string, string>;
}

const Target = ({ event: { action, target }, names }: EventProps) => {
  const { kind, id } = target;
  if (id === null) return null;
  const page = GONE.has(action) ? undefined : PAGES[kind];
  const name = names.get(id) ?? shortId(id);
  if (page === undefined) return <>{name}</>;
  return (
    <Anchor component={Link} to={`${page}/${id}`} size="sm">
      {name}
    </Anchor>
  );
};

const Author = ({ event: { author }, names }: EventProps) => {
  const say = trailTexts.useTexts();
  const session = useQuery(sessionQuery).data?.data;
  const { kind, id } = author;
  if (kind === 'service') return <>{say('author.service')}</>;
  if (id === null) return <>{say('author.unknown')}</>;
  if (kind === 'person' && id === session?.person_id) return <>{say('author.you')}</>;
  return <>{say(`author.${kind}`, { name: kind === 'person' ? id : (names.get(id) ?? shortId(id)) })}</>;
};

const EventRow = ({ event, names }: EventProps) => {
  const say = trailTexts.useTexts();
  const { action, changed, created_at, source_address: address, forwarded_address: forwarded } = event;
  return (
    <WideRow named={1}>
      {instant(created_at)}
      <div>
        {say(action)}
        {changed.length > 0 && (
          <Text size="xs" c="dimmed">
            {changed.map((part) => say(`changed.${part}`)).join(', ')}
          </Text>
        )}
      </div>
      <Target event={event} names={names} />
      <Author event={event} names={names} />
      <div>
        {address}
        {forwarded !== null && forwarded !== address && (
          <Text size="xs" c="dimmed">
            {say('address.claimed', { address: forwarded })}
          </Text>
        )}
      </div>
    </WideRow>
  );
};

const useTrail = () => usePages(['trail'], (query, signal) => must(api.GET('/audit', { params: { query }, signal })));

export const Component = () => {
  const say = trailTexts.useTexts();
  const query = useTrail();
  const { data, error, refetch } = query;
  const events = data?.pages.flatMap((page) => page.data) ?? [];
  const names = useNames(events);
  return (
    <Page title={say('title')}>
      <Text>{say('intro')}</Text>
      <Stack>
        {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
        {data && (
          <WideTable
            label={say('list.label')}
            head={COLUMNS.map((column) => say(`column.${column}`))}
            empty={say('list.empty')}
          >
            {events.map((event) => (
              <EventRow key={event.id} event={event} names={names} />
            ))}
          </WideTable>
        )}
        <MoreRows query={query} />
      </Stack>
    </Page>
  );
};
