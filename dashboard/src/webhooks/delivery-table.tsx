/** The deliveries of an endpoint, newest first, page by page; the table polls while a delivery is pending. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { Read } from '../problem/read.tsx';
import { WideTable } from '../shell/wide-table.tsx';
import { count } from '../text/format.ts';
import { DeliveryRow } from './delivery-row.tsx';
import { DELIVERIES_LIMIT, queryDeliveries } from './endpoint-deliveries.ts';
import { webhookTexts } from './texts.ts';

const COLUMNS = ['created', 'event', 'status', 'attempts', 'response', 'error', 'last', 'id'] as const;

export const DeliveryTable = ({ endpointId }: { endpointId: string }) => {
  const say = webhookTexts.useTexts();
  const [address, setAddress] = useSearchParams();
  const wanted = address.get('offset') ?? '';
  const offset = /^\d{1,6}$/.test(wanted) ? Number(wanted) : 0;
  const query = useQuery({ ...queryDeliveries(endpointId, offset), placeholderData: keepPreviousData });
  const turn = (to: number) => setAddress(to <= 0 ? {} : { offset: String(to) });
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say('deliveries.title')}
      </Title>
      <Text size="sm">{say('deliveries.text')}</Text>
      <Read query={query}>
        {({ data, pagination }) =>
          data.length === 0 && offset === 0 ? (
            <Text>{say('deliveries.empty')}</Text>
          ) : (
            <>
              <WideTable label={say('deliveries.title')} head={COLUMNS.map((column) => say(`delivery.${column}`))}>
                {data.map((delivery) => (
                  <DeliveryRow key={delivery.id} endpointId={endpointId} delivery={delivery} />
                ))}
              </WideTable>
              <Group component="nav" justify="space-between" aria-label={say('deliveries.page')}>
                <Text size="sm">
                  {say('deliveries.total', { count: pagination.total, number: count(pagination.total) })}
                </Text>
                <Group gap="xs">
                  <Button
                    size="xs"
                    variant="default"
                    disabled={offset === 0}
                    onClick={() => turn(offset - DELIVERIES_LIMIT)}
                  >
                    {say('deliveries.previous')}
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    disabled={!pagination.has_more}
                    onClick={() => turn(offset + DELIVERIES_LIMIT)}
                  >
                    {say('deliveries.next')}
                  </Button>
                </Group>
              </Group>
            </>
          )
        }
      </Read>
    </Stack>
  );
};
