/** One endpoint: settings, actions, deliveries. */
import { Anchor, Card, Group, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { api, must } from '../api/client.ts';
import { readAgain } from '../api/queries.ts';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { Disabled, EndpointActions } from './endpoint-actions.tsx';
import { type EndpointFields, EndpointForm } from './endpoint-form.tsx';
import { EndpointStatus } from './endpoint-status.tsx';
import type { WebhookEndpoint } from './event-types.ts';
import { TestDelivery } from './test-delivery.tsx';
import { webhookTexts } from './texts.ts';

const Settings = ({ endpoint }: { endpoint: WebhookEndpoint }) => {
  const say = webhookTexts.useTexts();
  const change = useMutation({
    mutationFn: (body: EndpointFields) =>
      must(api.PATCH('/webhooks/{id}', { params: { path: { id: endpoint.id } }, body })),
    onSuccess: () => readAgain({ queryKey: ['webhooks'] }),
  });
  return (
    <Card withBorder component="section" aria-label={say('detail.edit')}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {say('detail.edit')}
        </Title>
        <EndpointStatus endpoint={endpoint} />
      </Group>
      <EndpointForm
        initial={{ url: endpoint.url, event_types: endpoint.event_types }}
        action={say('detail.save')}
        isPending={change.isPending}
        error={change.error}
        onSubmit={change.mutate}
      >
        {change.isSuccess && <Text role="status">{say('detail.saved')}</Text>}
      </EndpointForm>
    </Card>
  );
};

export const Component = () => {
  const say = webhookTexts.useTexts();
  const { id = '' } = useParams();
  const query = useQuery({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => must(api.GET('/webhooks/{id}', { params: { path: { id } }, signal })),
  });
  return (
    <Page
      title={say('detail.title')}
      actions={
        <Anchor component={Link} to="/webhooks">
          {say('detail.all')}
        </Anchor>
      }
    >
      <Read query={query}>
        {({ data }) => (
          <>
            <Disabled endpoint={data} />
            <Settings key={data.id} endpoint={data} />
            <EndpointActions endpoint={data} />
            <TestDelivery key={`test ${data.id}`} endpointId={data.id} />
            <DeliveryTable endpointId={data.id} />
          </>
        )}
      </Read>
    </Page>
  );
};
