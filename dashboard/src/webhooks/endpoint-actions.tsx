/** Actions on an endpoint except editing. After a rotation the new secret is shown once. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api, must } from '../api/client.ts';
import { queries, readAgain } from '../api/queries.ts';
import { Problem } from '../problem/problem.tsx';
import { SecretOnce } from '../secret/secret-once.tsx';
import { ConfirmButton } from '../shell/confirm-button.tsx';
import { common } from '../text/common-texts.ts';
import { instant } from '../text/format.ts';
import type { WebhookEndpoint } from './event-types.ts';
import { webhookTexts } from './texts.ts';

const read = () => readAgain({ queryKey: ['webhooks'] });

const setEnabled = async (id: string, enabled: boolean): Promise<void> => {
  await must(api.PATCH('/webhooks/{id}', { params: { path: { id } }, body: { enabled } }));
  await read();
};

export const Disabled = ({ endpoint }: { endpoint: WebhookEndpoint }) => {
  const say = webhookTexts.useTexts();
  const reactivate = useMutation({ mutationFn: () => setEnabled(endpoint.id, true) });
  if (endpoint.enabled) return null;
  const at = endpoint.disabled_at === null ? '-' : instant(endpoint.disabled_at);
  return (
    <Alert color="orange" variant="light" title={say('disabled.title', { at })}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{say(`disabled.${endpoint.disabled_reason ?? 'unknown'}`)}</Text>
        <Button size="xs" loading={reactivate.isPending} onClick={() => reactivate.mutate()}>
          {say('reactivate')}
        </Button>
        {reactivate.error && <Problem error={reactivate.error} />}
      </Stack>
    </Alert>
  );
};

export const EndpointActions = ({ endpoint }: { endpoint: WebhookEndpoint }) => {
  const say = webhookTexts.useTexts();
  const words = common.useTexts();
  const navigate = useNavigate();
  const { id, url, enabled } = endpoint;
  const roll = useMutation({
    mutationFn: () => must(api.POST('/webhooks/{id}/roll-secret', { params: { path: { id } } })),
  });
  const remove = async (): Promise<void> => {
    await must(api.DELETE('/webhooks/{id}', { params: { path: { id } } }));
    // Removes the deleted endpoint from the cached list, because the list's page would otherwise request its deliveries
    // until the list is read again.
    queries.setQueryData<{ data: WebhookEndpoint[] }>(
      ['webhooks'],
      (list) => list && { ...list, data: list.data.filter((each) => each.id !== id) },
    );
    // Leaves this page before queries are repeated, because this page's queries would request the deleted endpoint.
    await navigate('/webhooks', { flushSync: true });
    await readAgain({ queryKey: ['webhooks'], exact: true });
  };
  return (
    <Stack>
      {roll.data && (
        <SecretOnce
          key={roll.data.data.secret}
          title={say('secret.title', { url })}
          secret={roll.data.data.secret}
          onDone={roll.reset}
        />
      )}
      <Group>
        <ConfirmButton
          label={say('roll')}
          title={say('roll.title')}
          text={say('roll.text')}
          action={say('roll.action')}
          onConfirm={() => roll.mutateAsync()}
        />
        {enabled && (
          <ConfirmButton
            label={say('disable')}
            title={say('disable.title')}
            text={say('disable.text')}
            action={say('disable')}
            onConfirm={() => setEnabled(id, false)}
          />
        )}
        <ConfirmButton
          label={words('action.delete')}
          title={say('delete.title')}
          text={say('delete.text')}
          action={words('action.delete')}
          isDangerous
          onConfirm={remove}
        />
      </Group>
    </Stack>
  );
};
