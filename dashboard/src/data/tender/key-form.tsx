/** Form that asks for the API key with which tenders are read, or creates a key that expires. */
import { Alert, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, must } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { nowMs } from '../../clock.ts';
import { Problem } from '../../problem/problem.tsx';
import { setTenderKey } from './tender-key.ts';
import { tenderTexts } from './texts.ts';

/**
 * Validity of a created key. It is a day instead of an hour, because a clock that is an hour slow would produce an
 * expiry in the past, which the API refuses.
 */
const DAY_MS = 86_400_000;

export const KeyForm = ({ refused }: { refused: string | null }) => {
  const say = tenderTexts.useTexts();
  const [key, setKey] = useState(refused ?? '');
  const create = useMutation({
    mutationFn: () => {
      const expires_at = new Date(nowMs() + DAY_MS).toISOString();
      return must(api.POST('/api-keys', { body: { name: say('key.name'), expires_at } }));
    },
    onSuccess: ({ data }) => {
      setTenderKey(data.key);
      void queries.invalidateQueries({ queryKey: ['api-keys'] });
    },
  });
  const use = (event: FormEvent): void => {
    event.preventDefault();
    if (key.trim() !== '') setTenderKey(key.trim());
  };
  return (
    <Alert title={say('key.title')} color="blue" variant="light">
      <form onSubmit={use}>
        <Stack gap="sm">
          <Text size="sm">{say('key.text')}</Text>
          <PasswordInput
            label={say('key.label')}
            value={key}
            autoComplete="off"
            error={refused === null ? undefined : say('key.refused')}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
          />
          <Group>
            <Button type="submit">{say('key.use')}</Button>
            <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
              {say('key.create')}
            </Button>
          </Group>
          {create.error && <Problem error={create.error} />}
        </Stack>
      </form>
    </Alert>
  );
};
