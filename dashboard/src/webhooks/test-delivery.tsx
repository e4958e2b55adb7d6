/** Sends a test delivery to an endpoint and shows its outcome. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, must } from '../api/client.ts';
import { readAgain } from '../api/queries.ts';
import { Problem } from '../problem/problem.tsx';
import { Read } from '../problem/read.tsx';
import { count } from '../text/format.ts';
import { queryDelivery } from './delivery-detail.ts';
import { deliveryError } from './delivery-error.ts';
import { webhookTexts } from './texts.ts';

const Outcome = ({ endpointId, deliveryId }: { endpointId: string; deliveryId: string }) => {
  const say = webhookTexts.useTexts();
  const query = useQuery(queryDelivery(endpointId, deliveryId));
  return (
    <Read query={query}>
      {({ data: { status, response_status, error, attempt_log } }) => {
        if (status === 'failed')
          return <Text c="red">{say('test.failed', { error: deliveryError(error ?? '-') })}</Text>;
        if (status !== 'delivered') return <Text>{say('test.sending')}</Text>;
        const time = count(attempt_log.at(-1)?.milliseconds ?? 0);
        return <Text>{say('test.delivered', { status: String(response_status), time })}</Text>;
      }}
    </Read>
  );
};

export const TestDelivery = ({ endpointId }: { endpointId: string }) => {
  const say = webhookTexts.useTexts();
  const test = useMutation({
    mutationFn: () => must(api.POST('/webhooks/{id}/test', { params: { path: { id: endpointId } }, body: {} })),
    onSuccess: () => readAgain({ queryKey: ['webhooks', endpointId] }),
  });
  return (
    <Stack component="section" gap="xs" aria-label={say('test.title')}>
      <Group>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {say('test.action')}
        </Button>
        <Text size="sm">{say('test.text')}</Text>
      </Group>
      <div role="status">{test.data && <Outcome endpointId={endpointId} deliveryId={test.data.data.id} />}</div>
      {test.error && <Problem error={test.error} />}
    </Stack>
  );
};
