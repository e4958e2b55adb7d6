/** Badge that shows whether an endpoint receives its deliveries. */
import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queryDeliveries } from './endpoint-deliveries.ts';
import { describeEndpoint, type EndpointState } from './endpoint-state.ts';
import type { WebhookEndpoint } from './event-types.ts';
import { webhookTexts } from './texts.ts';

const POLL_MS = 15_000;

const COLORS: Readonly<Record<EndpointState, string>> = {
  disabled: 'red',
  enabled: 'gray',
  unused: 'gray',
  working: 'green',
  late: 'orange',
  unsteady: 'orange',
  failing: 'red',
};

export const EndpointStatus = ({ endpoint }: { endpoint: WebhookEndpoint }) => {
  const say = webhookTexts.useTexts();
  const deliveries = useQuery({
    ...queryDeliveries(endpoint.id, 0),
    enabled: endpoint.enabled,
    // The status polls by itself, because a list of endpoints shows no table of deliveries that polls. On the
    // endpoint's page the status is as current as the table.
    refetchInterval: POLL_MS,
  });
  const state = describeEndpoint(endpoint, deliveries.data?.data, deliveries.dataUpdatedAt);
  return (
    <Badge variant="light" miw="max-content" color={COLORS[state]}>
      {say(`endpoint.${state}`)}
    </Badge>
  );
};
