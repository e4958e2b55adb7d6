/** One delivery: its state, its attempts on request, and a button to resend it after a failure. */
import { Badge, Button, Code, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, must } from '../api/client.ts';
import { readAgain } from '../api/queries.ts';
import { ApiRefusal } from '../api/refusal.ts';
import { Problem } from '../problem/problem.tsx';
import { WideRow, WrappedCell } from '../shell/wide-table.tsx';
import { instant } from '../text/format.ts';
import { AttemptTable } from './attempt-table.tsx';
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

interface DeliveryProps {
  endpointId: string;
  delivery: WebhookDelivery;
}

const Resend = ({ endpointId, delivery: { id, status } }: DeliveryProps) => {
  const say = webhookTexts.useTexts();
  const resend = useMutation({
    mutationFn: () =>
      must(
        api.POST('/webhooks/{id}/deliveries/{deliveryId}/resend', {
          params: { path: { id: endpointId, deliveryId: id } },
        }),
      ),
    onSettled: () => readAgain({ queryKey: ['webhooks', endpointId] }),
  });
  const explained = resend.error instanceof ApiRefusal ? EXPLAINED[resend.error.code] : undefined;
  return (
    <>
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
      {resend.error && (
        <WrappedCell>
          <Problem error={resend.error} {...(explained ? { text: say(explained) } : {})} />
        </WrappedCell>
      )}
    </>
  );
};

const AttemptsButton = ({ id, isShown, onClick }: { id: string; isShown: boolean; onClick: () => void }) => {
  const say = webhookTexts.useTexts();
  const action = say(isShown ? 'attempts.hide' : 'attempts.show');
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={say('attempts.name', { action, id })}
      aria-expanded={isShown}
      onClick={onClick}
    >
      {action}
    </Button>
  );
};

export const DeliveryRow = ({ endpointId, delivery }: DeliveryProps) => {
  const say = webhookTexts.useTexts();
  const [isShown, setIsShown] = useState(false);
  const { id, event_type, status, attempts, response_status, error, last_attempt_at, created_at } = delivery;
  return (
    <WideRow below={isShown && <AttemptTable endpointId={endpointId} deliveryId={id} />}>
      {instant(created_at)}
      <Group gap="xs">
        {say(`event.${event_type}`)}
        {delivery.test && (
          <Badge variant="outline" miw="max-content">
            {say('delivery.test')}
          </Badge>
        )}
      </Group>
      <Stack gap="xs" align="flex-start">
        <Badge variant="light" color={COLORS[status]} miw="max-content">
          {say(`delivery.${status}`)}
        </Badge>
        <Resend endpointId={endpointId} delivery={delivery} />
      </Stack>
      <Group gap="xs" wrap="nowrap">
        {attempts}
        <AttemptsButton id={id} isShown={isShown} onClick={() => setIsShown(!isShown)} />
      </Group>
      {response_status ?? '-'}
      {error === null ? '-' : <WrappedCell>{deliveryError(error)}</WrappedCell>}
      {last_attempt_at === null ? say('never') : instant(last_attempt_at)}
      <WrappedCell>
        <Code>{id}</Code>
      </WrappedCell>
    </WideRow>
  );
};
