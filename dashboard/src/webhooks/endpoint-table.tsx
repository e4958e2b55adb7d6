/** The organization's endpoints, newest first. */
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { WideRow, WideTable } from '../shell/wide-table.tsx';
import { instant } from '../text/format.ts';
import { EndpointStatus } from './endpoint-status.tsx';
import type { WebhookEndpoint } from './event-types.ts';
import { webhookTexts } from './texts.ts';

const COLUMNS = ['url', 'status', 'events', 'success', 'created'] as const;

export const EndpointTable = ({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) => {
  const say = webhookTexts.useTexts();
  return (
    <WideTable
      label={say('list.label')}
      head={COLUMNS.map((column) => say(`column.${column}`))}
      empty={say('list.empty')}
    >
      {endpoints.map((endpoint) => (
        <WideRow key={endpoint.id}>
          <Anchor component={Link} to={`/webhooks/${endpoint.id}`}>
            {endpoint.url}
          </Anchor>
          <EndpointStatus endpoint={endpoint} />
          <Text size="sm" style={{ whiteSpace: 'normal' }}>
            {endpoint.event_types.map((type) => say(`event.${type}`)).join(', ')}
          </Text>
          {endpoint.last_success_at === null ? say('never') : instant(endpoint.last_success_at)}
          {instant(endpoint.created_at)}
        </WideRow>
      ))}
    </WideTable>
  );
};
