import { Badge } from '@mantine/core';
import type { WebhookEndpoint } from './event-types.ts';
import { webhookTexts } from './texts.ts';

export const EndpointStatus = ({ endpoint }: { endpoint: WebhookEndpoint }) => {
  const say = webhookTexts.useTexts();
  return (
    <Badge variant="light" miw="max-content" color={endpoint.enabled ? 'green' : 'red'}>
      {say(endpoint.enabled ? 'enabled' : 'disabled')}
    </Badge>
  );
};
