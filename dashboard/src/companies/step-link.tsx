/** What to do about a connection: a link to the page where it is done, and the reason. */
import { Anchor, Badge, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Connection } from '../api/client.ts';
import { describeAttention, describeCause } from '../connections/causes.ts';
import { ConnectionStatus } from '../connections/status-badge.tsx';
import { month } from '../text/month.ts';
import { isOptional, type NextStep, type ShownState } from './next-step.ts';
import { companyTexts } from './texts.ts';

const explain = ({ kind, code }: NextStep, last: string | undefined): string => {
  const say = companyTexts.say;
  if (kind === 'approve') return say('why.approve');
  if (kind === 'look' || kind === 'first' || kind === 'schedule') return say(`why.${kind}`);
  if (code === null) return say('why.months', { month: last === undefined ? '' : month(last) });
  if (code === 'connection.error') return say('why.error');
  return describeAttention([code])[0] ?? describeCause(code).text;
};

interface StepLinkProps {
  step: NextStep;
  /** The company or the connection, for people who hear only the link. */
  about: string;
}

export const StepLink = ({ step, about }: StepLinkProps) => {
  const label = companyTexts.useTexts()(`step.${step.kind}`);
  return (
    <Anchor
      component={Link}
      to={step.path}
      size="sm"
      fw={isOptional(step) ? 400 : 600}
      aria-label={`${label}: ${about}`}
    >
      {label}
    </Anchor>
  );
};

export const StepWithReason = ({ step, connection, about }: StepLinkProps & { connection: Connection }) => (
  <>
    <StepLink step={step} about={about} />
    <Text size="xs" c="dimmed">
      {explain(step, connection.last_complete_period)}
    </Text>
  </>
);

export const StateBadge = ({ state }: { state: ShownState }) => {
  const say = companyTexts.useTexts();
  if (state !== 'approve') return <ConnectionStatus status={state} />;
  return (
    <Badge variant="light" color="orange">
      {say('state.approve')}
    </Badge>
  );
};
