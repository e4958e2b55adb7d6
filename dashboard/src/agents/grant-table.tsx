/** Applications with a grant, newest first. */
import { Badge, Text } from '@mantine/core';
import { api, must, type Schemas } from '../api/client.ts';
import { readAgain } from '../api/queries.ts';
import { ConfirmButton, confirmTexts } from '../shell/confirm-button.tsx';
import { WideRow, WideTable } from '../shell/wide-table.tsx';
import { instant } from '../text/format.ts';
import { agentTexts } from './texts.ts';

type Grant = Schemas['Grant'];

const COLORS: Readonly<Record<Grant['status'], string>> = { active: 'green', revoked: 'red', expired: 'gray' };
/** The column with the action is next to the name, because a wide table is cut off on the right. */
const COLUMNS = ['name', 'status', 'action', 'host', 'used', 'created', 'who', 'expires'] as const;

const revoke = async (id: string): Promise<void> => {
  await must(api.DELETE('/oauth/grants/{id}', { params: { path: { id } } }));
  await readAgain({ queryKey: ['oauth', 'grants'] });
};

const hostOf = ({ redirect_kind, redirect_host }: Grant): string => {
  if (redirect_kind === 'loopback') return agentTexts.say('host.loopback');
  return redirect_kind === 'none' ? agentTexts.say('host.none') : redirect_host;
};

const GrantRow = ({ grant }: { grant: Grant }) => {
  const say = agentTexts.useTexts();
  const { id, client_publisher, subject, status, created_at, last_used_at, expires_at, revoked_for } = grant;
  const name = grant.client_name === '' ? say('client.unnamed') : grant.client_name;
  return (
    <WideRow>
      <div>
        {name}
        <Text size="xs" c="dimmed">
          {client_publisher === null ? say('unverified') : say('client.published', { host: client_publisher })}
        </Text>
      </div>
      <div>
        <Badge variant="light" miw="max-content" color={COLORS[status]}>
          {say(`status.${status}`)}
        </Badge>
        {revoked_for !== null && <Text size="xs">{say(`revoked.${revoked_for}`)}</Text>}
      </div>
      {status === 'active' && (
        <ConfirmButton {...confirmTexts(say, 'revoke', name)} isDangerous onConfirm={() => revoke(id)} />
      )}
      {hostOf(grant)}
      {last_used_at === null ? say('never') : instant(last_used_at)}
      {instant(created_at)}
      {subject}
      {instant(expires_at)}
    </WideRow>
  );
};

export const GrantTable = ({ grants }: { grants: readonly Grant[] }) => {
  const say = agentTexts.useTexts();
  return (
    <WideTable
      label={say('list.label')}
      head={COLUMNS.map((column) => say(`column.${column}`))}
      empty={say('list.empty')}
    >
      {grants.map((grant) => (
        <GrantRow key={grant.id} grant={grant} />
      ))}
    </WideTable>
  );
};
