/** The organization's keys, newest first. */
import { Badge, Code, Table } from '@mantine/core';
import { api, must, type Schemas } from '../api/client.ts';
import { readAgain } from '../api/queries.ts';
import { ConfirmButton } from '../shell/confirm-button.tsx';
import { WideTable } from '../shell/wide-table.tsx';
import { instant } from '../text/format.ts';
import { apiKeyTexts } from './texts.ts';

type ApiKey = Schemas['ApiKey'];

const COLORS: Readonly<Record<ApiKey['status'], string>> = { active: 'green', revoked: 'red', expired: 'gray' };
const COLUMNS = ['name', 'prefix', 'status', 'created', 'used', 'expires', 'revoked', 'action'] as const;

const revoke = async (id: string): Promise<void> => {
  await must(api.DELETE('/api-keys/{id}', { params: { path: { id } } }));
  await readAgain({ queryKey: ['api-keys'] });
};

const KeyRow = ({ apiKey }: { apiKey: ApiKey }) => {
  const say = apiKeyTexts.useTexts();
  const { id, name, display_prefix, status, created_at, last_used_at, expires_at, revoked_at } = apiKey;
  const at = (iso: string | null): string => (iso === null ? say('never') : instant(iso));
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td>
        <Code>{display_prefix}…</Code>
      </Table.Td>
      <Table.Td>
        <Badge variant="light" miw="max-content" color={COLORS[status]}>
          {say(`status.${status}`)}
        </Badge>
      </Table.Td>
      <Table.Td>{instant(created_at)}</Table.Td>
      <Table.Td>{at(last_used_at)}</Table.Td>
      <Table.Td>{at(expires_at)}</Table.Td>
      <Table.Td>{at(revoked_at)}</Table.Td>
      <Table.Td>
        {status === 'active' && (
          <ConfirmButton
            label={say('revoke')}
            name={say('revoke.name', { name })}
            title={say('revoke.title', { name })}
            text={say('revoke.text')}
            action={say('revoke.action')}
            isDangerous
            onConfirm={() => revoke(id)}
          />
        )}
      </Table.Td>
    </Table.Tr>
  );
};

export const KeyTable = ({ keys }: { keys: readonly ApiKey[] }) => {
  const say = apiKeyTexts.useTexts();
  return (
    <WideTable
      label={say('list.label')}
      head={COLUMNS.map((column) => say(`column.${column}`))}
      empty={say('list.empty')}
    >
      {keys.map((apiKey) => (
        <KeyRow key={apiKey.id} apiKey={apiKey} />
      ))}
    </WideTable>
  );
};
