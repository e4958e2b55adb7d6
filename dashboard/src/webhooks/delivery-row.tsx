/** One delivery: its state, and a button to resend it after a failure. */
import { Badge, Button, Code, Stack, Table } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, must } from '../api/client.ts';
import { queries } from '../api/queries.ts';
import { ApiRefusal } from '../api/refusal.ts';
import { Problem } from '../problem/problem.tsx';
import { instant } from '../text/format.ts';
import { deliveryError } from './delivery-error.ts';
import type { WebhookDelivery } from './event-types.ts';
import { webhookTexts } from './texts.ts';

const COLORS: Readonly<Record<WebhookDelivery['status'], string>> = {
  pending: 'orange',
  delivering: 'blue',
  delivered: 'green',
  failed: 'red',
};

/** Refusals of a resend that a person can resolve, and their texts. */
const EXPLAINED: Readonly<Record<string, 'resend.disabled' | 'resend.not-failed'>> = {
  webhook_endpoint_disabled: 'resend.disabled',
  webhook_delivery_not_failed: 'resend.not-failed',
};

export const DeliveryRow = ({ endpointId, delivery }: { endpointId: string; delivery: WebhookDelivery }) => {
  const say = webhookTexts.useTexts();
  const { id, event_type, status, attempts, response_status, error, last_attempt_at, created_at } = delivery;
  const resend = useMutation({
    mutationFn: () =>
      must(
        api.POST('/webhooks/{id}/deliveries/{deliveryId}/resend', {
          params: { path: { id: endpointId, deliveryId: id } },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks', endpointId] }),
  });
  const explained = resend.error instanceof ApiRefusal ? EXPLAINED[resend.error.code] : undefined;
  return (
    <Table.Tr>
      <Table.Td>{instant(created_at)}</Table.Td>
      <Table.Td>{event_type}</Table.Td>
      <Table.Td>
        <Badge variant="light" color={COLORS[status]} miw="max-content">
          {say(`delivery.${status}`)}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Stack gap="xs" align="flex-start">
          {status === 'failed' && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={say('resend.name', { id })}
              loading={resend.isPending}
              onClick={() => resend.mutate()}
            >
              {say('resend')}
            </Button>
          )}
          {resend.error && <Problem error={resend.error} {...(explained ? { text: say(explained) } : {})} />}
        </Stack>
      </Table.Td>
      <Table.Td>{attempts}</Table.Td>
      <Table.Td>{response_status ?? '-'}</Table.Td>
      <Table.Td>{error === null ? '-' : deliveryError(error)}</Table.Td>
      <Table.Td>{last_attempt_at === null ? say('never') : instant(last_attempt_at)}</Table.Td>
      <Table.Td>
        <Code>{id}</Code>
      </Table.Td>
    </Table.Tr>
  );
};
