/** How one scope of a run went: what came in, what to know, why it failed. */
import { Group, Text } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { count } from '../text/format.ts';
import { noticeOf } from './causes.ts';
import { runTexts } from './run-texts.ts';
import { RunStatus } from './status-badge.tsx';
import { CauseText } from './what-to-do.tsx';

const SECOND_MS = 1_000;

type Outcome = Schemas['SyncRun']['scope_outcomes'][number];

const detailOf = ({ records_found: found, period, duration_ms: durationMs }: Outcome): string => {
  const say = runTexts.say;
  const parts: string[] = [];
  if (typeof found === 'number') parts.push(say('found', { count: found, number: count(found) }));
  if (period) parts.push(say('period', { period }));
  if (typeof durationMs === 'number') parts.push(say('took', { seconds: count(Math.ceil(durationMs / SECOND_MS)) }));
  return parts.join(' · ');
};

/** The same of several periods is told once, with how often. */
const noticesOf = ({ notices }: Outcome): [text: string, times: number][] =>
  [...Map.groupBy(notices, ({ code, message }) => noticeOf(code, message))].map(([text, same]) => [text, same.length]);

/** @param runCode the run's own cause: told once above, not again here */
export const OutcomeRow = ({
  outcome,
  label,
  runCode,
}: {
  outcome: Outcome;
  label: string;
  runCode: string | null;
}) => {
  const say = runTexts.useTexts();
  const code = outcome.error_code ?? null;
  return (
    <li>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <RunStatus status={outcome.status} />
      </Group>
      <Text size="sm">{detailOf(outcome)}</Text>
      {code !== null && code !== runCode && <CauseText code={code} />}
      {noticesOf(outcome).map(([text, times]) => (
        <Text key={text} size="sm" c="dimmed">
          {say('notice')}: {text}
          {times > 1 && ` (${count(times)})`}
        </Text>
      ))}
    </li>
  );
};
