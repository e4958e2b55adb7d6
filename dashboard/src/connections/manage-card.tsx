/**
 * Card with buttons to disable, enable and delete a connection. An action that cannot be undone asks for confirmation.
 */
import { Button, Group, Modal, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api, type Connection, must } from '../api/client.ts';
import { ApiRefusal } from '../api/refusal.ts';
import { Problem } from '../problem/problem.tsx';
import { common } from '../text/common-texts.ts';
import { readListsAgain, useChange } from './connection-queries.ts';
import { connectionTexts } from './texts.ts';

const Deletion = ({ connection: { id, name }, onClose }: { connection: Connection; onClose: () => void }) => {
  const say = connectionTexts.useTexts();
  const sayCommon = common.useTexts();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => must(api.DELETE('/connections/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      await navigate('/connections');
      queries.removeQueries({ queryKey: ['connections', id] });
      await readListsAgain();
    },
  });
  const { error } = deletion;
  const isBusy = error instanceof ApiRefusal && error.code === 'connection_sync_in_progress';
  return (
    <Stack>
      <Text size="sm">{say('delete.text')}</Text>
      {error !== null && <Problem error={error} {...(isBusy ? { text: say('delete.busy') } : {})} />}
      <Group>
        <Button color="red" loading={deletion.isPending} onClick={() => deletion.mutate()}>
          {sayCommon('action.delete')}
        </Button>
        <Button variant="default" onClick={onClose} aria-label={`${sayCommon('action.cancel')}: ${name}`}>
          {sayCommon('action.cancel')}
        </Button>
      </Group>
    </Stack>
  );
};

export const ManageCard = ({ connection }: { connection: Connection }) => {
  const say = connectionTexts.useTexts();
  const closeLabel = common.useTexts()('action.close');
  const [isDeleting, setDeleting] = useState(false);
  const change = useChange(connection.id);
  const isDisabled = connection.status === 'disabled';
  return (
    <Paper withBorder p="md" radius="md" component="section">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {say('manage.title')}
        </Title>
        <Text size="sm">{say(isDisabled ? 'enable.text' : 'disable.text')}</Text>
        {change.error !== null && <Problem error={change.error} />}
        <Group>
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate({ enabled: isDisabled })}>
            {say(isDisabled ? 'enable.action' : 'disable.action')}
          </Button>
          <Button color="red" variant="outline" onClick={() => setDeleting(true)}>
            {say('delete.action')}
          </Button>
        </Group>
      </Stack>
      <Modal
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title={say('delete.confirm', { name: connection.name })}
        closeButtonProps={{ 'aria-label': closeLabel }}
      >
        <Deletion connection={connection} onClose={() => setDeleting(false)} />
      </Modal>
    </Paper>
  );
};
