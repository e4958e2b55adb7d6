/** Endpoints that receive the final states of syncs: create and list. */
import { Card, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, must } from '../api/client.ts';
import { readAgain } from '../api/queries.ts';
import { Read } from '../problem/read.tsx';
import { SecretOnce } from '../secret/secret-once.tsx';
import { Page } from '../shell/page.tsx';
import { type EndpointFields, EndpointForm } from './endpoint-form.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { EVENT_TYPES } from './event-types.ts';
import { InboxTable } from './inbox-table.tsx';
import { useLocalInbox } from './local-inbox.ts';
import { webhookTexts } from './texts.ts';

const EMPTY: EndpointFields = { url: '', event_types: [...EVENT_TYPES] };

const CreateEndpoint = ({ inbox }: { inbox: string | null }) => {
  const say = webhookTexts.useTexts();
  const [made, setMade] = useState(0);
  const create = useMutation({
    mutationFn: (body: EndpointFields) => must(api.POST('/webhooks', { body })),
    onSuccess: () => {
      // The form is cleared because this value is its `key`.
      setMade((before) => before + 1);
      void readAgain({ queryKey: ['webhooks'] });
    },
  });
  return (
    <Stack>
      {create.data && (
        <SecretOnce
          key={create.data.data.id}
          title={say('secret.title', { url: create.data.data.url })}
          secret={create.data.data.secret}
          onDone={create.reset}
        />
      )}
      <Card withBorder component="section" aria-label={say('create.title')}>
        <Title order={2} size="h4" mb="sm">
          {say('create.title')}
        </Title>
        <EndpointForm
          key={made}
          initial={EMPTY}
          action={say('create.action')}
          isPending={create.isPending}
          error={create.error}
          onSubmit={create.mutate}
          suggestion={inbox === null ? undefined : { label: say('local.use'), url: inbox }}
        />
      </Card>
    </Stack>
  );
};

export const Component = () => {
  const say = webhookTexts.useTexts();
  const inbox = useLocalInbox();
  const query = useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => must(api.GET('/webhooks', { signal })),
  });
  return (
    <Page title={say('title')}>
      <Text>{say('intro')}</Text>
      <Read query={query}>{({ data }) => <EndpointTable endpoints={data} />}</Read>
      <CreateEndpoint inbox={inbox} />
      {inbox !== null && <InboxTable url={inbox} />}
    </Page>
  );
};
