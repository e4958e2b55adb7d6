/** The attempts of a delivery, oldest first. */
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Read } from '../problem/read.tsx';
import { WideRow, WideTable } from '../shell/wide-table.tsx';
import { count, instant } from '../text/format.ts';
import { queryDelivery, type WebhookAttempt } from './delivery-detail.ts';
import { deliveryError } from './delivery-error.ts';
import { webhookTexts } from './texts.ts';

const COLUMNS = ['number', 'started', 'status', 'response', 'cause', 'milliseconds'] as const;

const AttemptRow = ({ attempt }: { attempt: WebhookAttempt }) => {
  const say = webhookTexts.useTexts();
  const { number, started_at, status, response_status, error, milliseconds } = attempt;
  return (
    <WideRow>
      {number}
      {instant(started_at)}
      {say(`attempt.${status}`)}
      {response_status ?? '-'}
      {error === null ? '-' : deliveryError(error)}
      {milliseconds === null ? '-' : `${count(milliseconds)} ms`}
    </WideRow>
  );
};

export const AttemptTable = ({ endpointId, deliveryId }: { endpointId: string; deliveryId: string }) => {
  const say = webhookTexts.useTexts();
  const query = useQuery(queryDelivery(endpointId, deliveryId));
  const label = say('attempts.title', { id: deliveryId });
  return (
    <Read query={query}>
      {({ data: { attempt_log, next_attempt_at } }) => (
        <Stack gap="xs" w="100%">
          {attempt_log.length === 0 ? (
            <Text size="sm">{say('attempts.empty')}</Text>
          ) : (
            <WideTable label={label} head={COLUMNS.map((column) => say(`attempt.${column}`))}>
              {attempt_log.map((attempt) => (
                <AttemptRow key={attempt.number} attempt={attempt} />
              ))}
            </WideTable>
          )}
          {next_attempt_at !== null && <Text size="sm">{say('attempts.next', { at: instant(next_attempt_at) })}</Text>}
        </Stack>
      )}
    </Read>
  );
};
