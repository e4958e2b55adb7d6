/** The outcome of one scope of a run: stored rows, notices, and the reason of a failure. */
import { Group, Text } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { count } from '../text/format.ts';
import { month } from '../text/month.ts';
import { describeNotice } from './causes.ts';
import { FailureDetail } from './failure-detail.tsx';
import { runTexts } from './run-texts.ts';
import { RunStatus } from './status-badge.tsx';
import { CauseText } from './what-to-do.tsx';

const SECOND_MS = 1_000;

type ScopeOutcome = Schemas['SyncRun']['scope_outcomes'][number];

const detailOf = ({ status, records_found: found, period, duration_ms: durationMs }: ScopeOutcome): string => {
  const say = runTexts.say;
  const parts: string[] = [];
  if (typeof found === 'number') parts.push(say('found', { count: found, number: count(found) }));
  if (period && status !== 'failed') parts.push(say('period', { period: month(period) }));
  if (typeof durationMs === 'number') parts.push(say('took', { seconds: count(Math.ceil(durationMs / SECOND_MS)) }));
  return parts.join(' · ');
};

interface ToldNotice {
  text: string;
  /** True if the notice says that stored rows were deleted; the page highlights such a notice. */
  isRemoval: boolean;
  times: number;
  details: string[];
}

const isRemoval = (code: string | null): boolean => code?.endsWith('.rows_replaced') ?? false;

/**
 * Groups notices with equal texts, for example of several periods. Each group has the number of its notices and the
 * service's different messages.
 */
const noticesOf = ({ notices }: ScopeOutcome): ToldNotice[] => {
  const told = notices.map((notice) => ({ ...describeNotice(notice), isRemoval: isRemoval(notice.code) }));
  return [...Map.groupBy(told, ({ text }) => text)].map(([text, same]) => ({
    text,
    isRemoval: same[0]!.isRemoval,
    times: same.length,
    details: [...new Set(same.flatMap(({ detail }) => detail ?? []))],
  }));
};

/**
 * @param runCode, runMessage cause of the run's failure. The page shows this cause above the outcomes, so an outcome
 * with the same cause does not repeat it.
 */
export const OutcomeRow = ({
  outcome,
  label,
  runCode,
  runMessage,
}: {
  outcome: ScopeOutcome;
  label: string;
  runCode: string | null;
  runMessage: string | null;
}) => {
  const say = runTexts.useTexts();
  const { error_code: code = null, error_message: message = null } = outcome;
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
      {message !== null && message !== runMessage && <FailureDetail message={message} />}
      {noticesOf(outcome).map(({ text, isRemoval: isGone, times, details }) => (
        <div key={text}>
          <Text size="sm" {...(isGone ? { fw: 600 } : { c: 'dimmed' })}>
            {say(isGone ? 'removed' : 'notice')}: {text}
            {times > 1 && ` (${count(times)})`}
          </Text>
          {details.map((detail) => (
            <Text key={detail} size="xs" {...(isGone ? {} : { c: 'dimmed' })} pl="md">
              {detail}
            </Text>
          ))}
        </div>
      ))}
    </li>
  );
};
