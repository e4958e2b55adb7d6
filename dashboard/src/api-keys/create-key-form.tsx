/** Creates a key and shows it once. */
import { Button, Card, Group, Stack, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, must } from '../api/client.ts';
import { readAgain } from '../api/queries.ts';
import { findingAt, readFindings } from '../problem/field-findings.ts';
import { FormProblem } from '../problem/form-problem.tsx';
import { SecretOnce } from '../secret/secret-once.tsx';
import { apiKeyTexts } from './texts.ts';

const FIELDS = ['name', 'expires_at'] as const;

/**
 * Converts a time in the person's time zone to an instant. An incomplete time is sent unchanged, and the API refuses
 * it.
 */
const instantOf = (local: string): string => {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
};

export const CreateKeyForm = () => {
  const say = apiKeyTexts.useTexts();
  const [name, setName] = useState('');
  const [expires, setExpires] = useState('');
  const create = useMutation({
    mutationFn: () =>
      must(api.POST('/api-keys', { body: { name, ...(expires === '' ? {} : { expires_at: instantOf(expires) }) } })),
    onSuccess: () => {
      setName('');
      setExpires('');
      void readAgain({ queryKey: ['api-keys'] });
    },
  });
  const findings = readFindings(create.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Stack>
      {create.data && (
        <SecretOnce
          key={create.data.data.id}
          title={say('secret.title', { name: create.data.data.name })}
          secret={create.data.data.key}
          onDone={create.reset}
        />
      )}
      <Card withBorder component="section" aria-label={say('create.title')}>
        <form onSubmit={submit} noValidate>
          <Stack gap="sm">
            <Title order={2} size="h4">
              {say('create.title')}
            </Title>
            <TextInput
              label={say('create.name')}
              description={say('create.name.hint')}
              value={name}
              error={findingAt(findings, 'name')}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <TextInput
              type="datetime-local"
              label={say('create.expires')}
              description={say('create.expires.hint')}
              value={expires}
              error={findingAt(findings, 'expires_at')}
              onChange={({ currentTarget }) => setExpires(currentTarget.value)}
            />
            <FormProblem error={create.error} fields={FIELDS} />
            <Group>
              <Button type="submit" loading={create.isPending}>
                {say('create.action')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Card>
    </Stack>
  );
};
