/** The attempts of a delivery, oldest first. */
import { Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Read } from '../problem/read.tsx';
import { WideTable } from '../shell/wide-table.tsx';
import { count, instant } from '../text/format.ts';
import { queryDelivery, type WebhookAttempt } from './delivery-detail.ts';
import { deliveryError } from './delivery-error.ts';
import { webhookTexts } from './texts.ts';

const COLUMNS = ['number', 'started', 'status', 'response', 'cause', 'milliseconds'] as const;

const AttemptRow = ({ attempt }: { attempt: WebhookAttempt }) => {
  const say = webhookTexts.useTexts();
  const { number, started_at, status, response_status, error, milliseconds } = attempt;
  return (
    <Table.Tr>
      <Table.Td>{number}</Table.Td>
      <Table.Td>{instant(started_at)}</Table.Td>
      <Table.Td>{say(`attempt.${status}`)}</Table.Td>
      <Table.Td>{response_status ?? '-'}</Table.Td>
      <Table.Td>{error === null ? '-' : deliveryError(error)}</Table.Td>
      <Table.Td>{milliseconds === null ? '-' : `${count(milliseconds)} ms`}</Table.Td>
    </Table.Tr>
  );
};

export const AttemptTable = ({ endpointId, deliveryId }: { endpointId: string; deliveryId: string }) => {
  const say = webhookTexts.useTexts();
  const query = useQuery(queryDelivery(endpointId, deliveryId));
  const label = say('attempts.title', { id: deliveryId });
  return (
    <Read query={query}>
      {({ data: { attempt_log, next_attempt_at } }) => (
        <Stack gap="xs" w="max-content">
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
