/** Starts the syncs of what is missing, and shows their progress and their results. */
import { Alert, Anchor, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ApiRefusal } from '../api/refusal.ts';
import { describeCause } from '../connections/causes.ts';
import { progressText } from '../connections/progress-text.ts';
import { connectionTexts } from '../connections/texts.ts';
import { Problem } from '../problem/problem.tsx';
import { count } from '../text/format.ts';
import type { MonthPart } from './cells.ts';
import styles from './months.module.css';
import { countLacking, planSyncs } from './plan-syncs.ts';
import type { SyncProgress, SyncResult } from './run-syncs.ts';
import { monthTexts } from './texts.ts';
import { useSyncs } from './use-syncs.ts';

const REFUSALS: Readonly<Record<string, 'disabled' | 'gone' | 'input'>> = {
  connection_disabled: 'disabled',
  connection_not_found: 'gone',
  sync_invalid_scopes: 'input',
  sync_invalid_metadata: 'input',
  validation_error: 'input',
};

const isComplete = ({ run }: SyncResult): boolean => run?.status === 'succeeded';

const refusalText = ({ code }: ApiRefusal): string => monthTexts.say(`sync.refused.${REFUSALS[code] ?? 'busy'}`);

const resultText = ({ run, refusal }: SyncResult): string => {
  if (refusal !== null) return refusalText(refusal);
  if (run === null || run.status === 'cancelled') return monthTexts.say('sync.result.cancelled');
  const result = monthTexts.say(run.status === 'failed' ? 'sync.result.failed' : 'sync.result.partial');
  return run.error_code ? `${result} ${describeCause(run.error_code).text}` : result;
};

const Results = ({ results }: { results: readonly SyncResult[] }) => {
  const say = monthTexts.useTexts();
  const problems = results.filter((result) => !isComplete(result));
  if (problems.length === 0) return null;
  return (
    <Alert color="orange" variant="light" title={say('sync.problems')}>
      <ul className={styles.list}>
        {problems.map((result) => (
          <li key={`${result.sync.connectionId} ${result.sync.scopes.join()}`}>
            <Anchor component={Link} to={`/connections/${result.sync.connectionId}`} size="sm" fw={600}>
              {result.sync.connection}
            </Anchor>
            <Text size="sm">{resultText(result)}</Text>
          </li>
        ))}
      </ul>
    </Alert>
  );
};

const stepText = ({ ended, sync, run, waitSeconds }: SyncProgress, total: number): string => {
  const say = monthTexts.say;
  if (sync === null) return say('sync.rereading');
  const stage = run === null ? say('sync.starting') : progressText(run);
  const step = say('sync.at', { at: count(ended + 1), total: count(total), name: sync.connection, stage });
  return waitSeconds === null ? step : `${step} ${say('sync.wait', { seconds: count(waitSeconds) })}`;
};

interface RunningProps {
  progress: SyncProgress;
  total: number;
  isCancelled: boolean;
  onCancel(): void;
}

const Running = ({ progress, total, isCancelled, onCancel }: RunningProps) => {
  const say = monthTexts.useTexts();
  return (
    <Stack gap="xs">
      <Progress value={total === 0 ? 0 : (100 * progress.ended) / total} aria-label={say('sync.progress')} />
      <Text size="sm" role="status">
        {stepText(progress, total)}
      </Text>
      <Text size="sm">{say('sync.stay')}</Text>
      <div>
        <Button size="xs" variant="default" disabled={isCancelled} onClick={onCancel}>
          {say(isCancelled ? 'sync.cancelling' : 'sync.cancel')}
        </Button>
      </div>
    </Stack>
  );
};

const Lack = ({ parts }: { parts: readonly MonthPart[] }) => {
  const say = monthTexts.useTexts();
  const { months, connections, tooOld, refused } = countLacking(parts);
  return (
    <div>
      {[...refused].map(([id, name]) => (
        <Text key={id} size="sm">
          {say('sync.refused', { name })}{' '}
          <Anchor component={Link} to={`/connections/${id}/credentials`} size="sm" underline="always">
            {connectionTexts.say('credentials.action')}
          </Anchor>
        </Text>
      ))}
      <Text size="sm">
        {months === 0
          ? say(refused.size === 0 ? 'sync.nothing' : 'sync.nothing.else')
          : say('sync.in', {
              months: say('sync.months', { count: months, number: count(months) }),
              connections: say('connections', { count: connections, number: count(connections) }),
            })}
      </Text>
      {tooOld > 0 && <Text size="sm">{say('sync.old', { count: tooOld, number: count(tooOld) })}</Text>}
    </div>
  );
};

/** @param parts the months of the rows that the page shows */
export const SyncPanel = ({ parts }: { parts: readonly MonthPart[] }) => {
  const say = monthTexts.useTexts();
  const { progress, planned, isCancelled, isRunning, isEnded, error, start, cancel } = useSyncs();
  const syncs = planSyncs(parts);
  const ended = count(progress.results.filter(isComplete).length);
  return (
    <Paper withBorder p="md" radius="md" component="section" aria-label={say('sync.action')}>
      <Stack gap="sm">
        {isRunning ? (
          <Running progress={progress} total={planned.length} isCancelled={isCancelled} onCancel={cancel} />
        ) : (
          <Group justify="space-between">
            <Lack parts={parts} />
            <Button onClick={() => start(syncs)} disabled={syncs.length === 0}>
              {say('sync.action')}
            </Button>
          </Group>
        )}
        {error !== null && <Problem error={error} />}
        {isEnded && (
          <Text size="sm" role="status">
            {say(isCancelled ? 'sync.cancelled' : 'sync.done', { ended, total: count(planned.length) })}
          </Text>
        )}
        {!isRunning && <Results results={progress.results} />}
      </Stack>
    </Paper>
  );
};
