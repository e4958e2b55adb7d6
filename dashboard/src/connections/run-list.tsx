/** The last runs of a connection: the progress of an open run, and the outcome of every scope of an ended run. */
import { Button, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, type Connection, must, type SyncRun } from '../api/client.ts';
import { Problem } from '../problem/problem.tsx';
import { Read } from '../problem/read.tsx';
import { count, instant } from '../text/format.ts';
import { isOpen, useRefresh, useRuns } from './connection-queries.ts';
import styles from './connections.module.css';
import { FailureDetail } from './failure-detail.tsx';
import { OutcomeRow } from './outcome-row.tsx';
import { progressText } from './progress-text.ts';
import { runTexts } from './run-texts.ts';
import { RunStatus } from './status-badge.tsx';
import { CauseText } from './what-to-do.tsx';

const Progress = ({ run }: { run: SyncRun }) => {
  const say = runTexts.useTexts();
  const refresh = useRefresh(run.connection_id);
  const path = { id: run.connection_id, runId: run.id };
  const cancel = useMutation({
    mutationFn: () => must(api.POST('/connections/{id}/sync-runs/{runId}/cancel', { params: { path } })),
    onSuccess: () => refresh(),
  });
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        <Loader size="xs" aria-hidden />
        <Text size="sm" role="status" aria-label={say('progress')}>
          {progressText(run)}
        </Text>
      </Group>
      {cancel.error !== null && <Problem error={cancel.error} />}
      <div>
        <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {say('cancel')}
        </Button>
      </div>
    </Stack>
  );
};

const numbersOf = ({ records_found: found, records_created: created, records_updated: updated }: SyncRun): string => {
  const say = runTexts.say;
  if (typeof found !== 'number') return '';
  const parts = [say('found', { count: found, number: count(found) })];
  if (created) parts.push(say('created', { count: created, number: count(created) }));
  if (updated) parts.push(say('updated', { count: updated, number: count(updated) }));
  return parts.join(' · ');
};

const Run = ({ run, connection }: { run: SyncRun; connection: Connection }) => {
  const say = runTexts.useTexts();
  const { trigger, created_at: createdAt, error_code: code, error_message: message } = run;
  const labels = new Map(connection.scopes.map(({ name, label }) => [name, label]));
  return (
    <Paper component="li" withBorder p="md" radius="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Text size="sm">
            {createdAt ? instant(createdAt) : ''} ·{' '}
            {say(trigger === 'schedule' ? 'trigger.schedule' : 'trigger.manual')}
          </Text>
          <RunStatus status={run.status} />
        </Group>
        {isOpen(run) ? <Progress run={run} /> : <Text size="sm">{numbersOf(run)}</Text>}
        {code && <CauseText code={code} />}
        {message && <FailureDetail message={message} />}
        <ul className={styles.list}>
          {run.scope_outcomes.map((outcome) => (
            <OutcomeRow
              key={outcome.scope}
              outcome={outcome}
              label={labels.get(outcome.scope ?? '') ?? outcome.scope ?? ''}
              runCode={code ?? null}
              runMessage={message ?? null}
            />
          ))}
        </ul>
      </Stack>
    </Paper>
  );
};

export const RunList = ({ connection }: { connection: Connection }) => {
  const say = runTexts.useTexts();
  const runs = useRuns(connection.id);
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="h4">
        {say('title')}
      </Title>
      <Read query={runs}>
        {(all) =>
          all.length === 0 ? (
            <Text>{say('empty')}</Text>
          ) : (
            <ul className={styles.list}>
              {all.map((run) => (
                <Run key={run.id} run={run} connection={connection} />
              ))}
            </ul>
          )
        }
      </Read>
    </Stack>
  );
};
