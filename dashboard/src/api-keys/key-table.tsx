/** The organization's keys, newest first. */
import { Badge, Code } from '@mantine/core';
import { api, must, type Schemas } from '../api/client.ts';
import { readAgain } from '../api/queries.ts';
import { ConfirmButton, confirmTexts } from '../shell/confirm-button.tsx';
import { WideRow, WideTable } from '../shell/wide-table.tsx';
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
    <WideRow>
      {name}
      <Code>{display_prefix}…</Code>
      <Badge variant="light" miw="max-content" color={COLORS[status]}>
        {say(`status.${status}`)}
      </Badge>
      {instant(created_at)}
      {at(last_used_at)}
      {at(expires_at)}
      {at(revoked_at)}
      {status === 'active' && (
        <ConfirmButton {...confirmTexts(say, 'revoke', name)} isDangerous onConfirm={() => revoke(id)} />
      )}
    </WideRow>
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
