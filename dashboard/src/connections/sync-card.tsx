/**
 * Card that starts a sync. The person chooses scopes, and a time range in a form that is generated from the scopes'
 * schemas.
 */
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { RJSFSchema } from '@rjsf/utils';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import type { Connection } from '../api/client.ts';
import { type FormHandle, type FormValues, SchemaForm } from '../form/schema-form.tsx';
import { findingAt, readFindings } from '../problem/field-findings.ts';
import { FormProblem } from '../problem/form-problem.tsx';
import { startSync, useRefresh } from './connection-queries.ts';
import { ScopeChoice } from './scope-choice.tsx';
import { mergeSyncSchemas } from './sync-schema.ts';
import { connectionTexts } from './texts.ts';

export const SyncCard = ({ connection }: { connection: Connection }) => {
  const say = connectionTexts.useTexts();
  const { id, scopes: enabled } = connection;
  const [scopes, setScopes] = useState(() => enabled.map(({ name }) => name));
  const [metadata, setMetadata] = useState<FormValues>({});
  const form = useRef<FormHandle>(null);
  const refresh = useRefresh(id);
  const chosen = enabled.filter(({ name }) => scopes.includes(name));
  const schema: RJSFSchema = useMemo(
    () => mergeSyncSchemas(enabled.filter(({ name }) => scopes.includes(name)).map((scope) => scope.sync_metadata)),
    [enabled, scopes],
  );
  const start = useMutation({
    mutationFn: () => startSync(id, { scopes, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) }),
    onSuccess: () => refresh(),
  });
  const findings = readFindings(start.error);
  const isDisabled = connection.status === 'disabled';
  const isRefused = connection.attention?.includes('source.invalid_credentials') ?? false;
  const fields = Object.keys(schema.properties ?? {});

  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.reset();
    if (form.current?.validateForm() ?? true) start.mutate();
  };
  return (
    <Paper withBorder p="md" radius="md" component="section">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Title order={2} size="h4">
            {say('sync.title')}
          </Title>
          {isDisabled && <Text size="sm">{say('sync.disabled')}</Text>}
          {isRefused && <Text size="sm">{say('sync.refused')}</Text>}
          <ScopeChoice
            label={say('sync.scopes')}
            scopes={enabled}
            value={chosen.map(({ name }) => name)}
            onChange={setScopes}
            error={findingAt(findings, 'scopes')}
          />
          {fields.length > 0 && (
            <>
              {fields.includes('from_period') && (
                <Text size="sm" c="dimmed">
                  {say('sync.period.help')}
                </Text>
              )}
              <SchemaForm
                id="sync"
                ref={form}
                schema={schema}
                values={metadata}
                onChange={setMetadata}
                findings={findings}
                path="metadata"
              />
            </>
          )}
          <FormProblem error={start.error} fields={['scopes', ...fields.map((name) => `metadata.${name}`)]} />
          <Group>
            <Button
              type="submit"
              variant={isRefused ? 'default' : 'filled'}
              loading={start.isPending}
              disabled={isDisabled}
            >
              {say('sync.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
};
