/** The organization's connect links, newest first. */
import { Anchor, Badge, Text } from '@mantine/core';
import { Link } from 'react-router';
import { api, must, type Schemas } from '../api/client.ts';
import { readAgain } from '../api/queries.ts';
import { ConfirmButton, confirmTexts } from '../shell/confirm-button.tsx';
import { WideRow, WideTable } from '../shell/wide-table.tsx';
import { instant } from '../text/format.ts';
import { linkTexts } from './texts.ts';

type ConnectLink = Schemas['ConnectLink'];

const COLORS: Readonly<Record<ConnectLink['status'], string>> = {
  open: 'blue',
  used: 'green',
  cancelled: 'red',
  expired: 'gray',
};
const COLUMNS = ['name', 'kind', 'status', 'created', 'expires', 'connection', 'action'] as const;

const cancel = async (id: string): Promise<void> => {
  await must(api.DELETE('/connect-links/{id}', { params: { path: { id } } }));
  await readAgain({ queryKey: ['connect-links'] });
};

const Made = ({ link }: { link: ConnectLink }) => {
  const say = linkTexts.useTexts();
  if (link.kind === 'standing') return say('made', { count: link.connections_made, max: link.connections_max ?? 0 });
  if (link.connection_id === null) return say('made.none');
  return (
    <Anchor component={Link} to={`/connections/${link.connection_id}`} size="sm">
      {say('made.open')}
    </Anchor>
  );
};

const LinkRow = ({ link }: { link: ConnectLink }) => {
  const say = linkTexts.useTexts();
  const { id, name, kind, status, metadata, created_at, expires_at } = link;
  const reference = typeof metadata.reference === 'string' ? metadata.reference : null;
  return (
    <WideRow>
      <div>
        {name}
        {reference !== null && (
          <Text size="xs" c="dimmed">
            {reference}
          </Text>
        )}
      </div>
      {say(`kind.${kind}`)}
      <Badge variant="light" miw="max-content" color={COLORS[status]}>
        {say(`status.${status}`)}
      </Badge>
      {instant(created_at)}
      {instant(expires_at)}
      <Made link={link} />
      {status === 'open' && (
        <ConfirmButton {...confirmTexts(say, 'cancel', name)} isDangerous onConfirm={() => cancel(id)} />
      )}
    </WideRow>
  );
};

export const LinkTable = ({ links }: { links: readonly ConnectLink[] }) => {
  const say = linkTexts.useTexts();
  return (
    <WideTable
      label={say('list.label')}
      head={COLUMNS.map((column) => say(`column.${column}`))}
      empty={say('list.empty')}
    >
      {links.map((link) => (
        <LinkRow key={link.id} link={link} />
      ))}
    </WideTable>
  );
};
