/** Shown for a connection with the status `error`: the reason, the party that can resolve it, and a link. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Connection } from '../api/client.ts';
import { linkTexts } from '../links/texts.ts';
import { timeOfDay } from '../text/format.ts';
import { describeAttention, describeCause } from './causes.ts';
import { isOpen, useRuns } from './connection-queries.ts';
import { runTexts } from './run-texts.ts';
import { connectionTexts } from './texts.ts';

export const CauseText = ({ code }: { code: string }) => {
  const say = connectionTexts.useTexts();
  const { text, mender } = describeCause(code);
  return (
    <>
      <Text size="sm">{text}</Text>
      <Text size="sm" fw={600}>
        {say(`todo.mends.${mender}`)}
      </Text>
    </>
  );
};

const RepairLink = ({ connection }: { connection: Connection }) => (
  <Button component={Link} to={`/links?repair=${connection.id}`} size="xs" variant="default">
    {linkTexts.say('repair.action')}
  </Button>
);

export const WhatToDo = ({ connection }: { connection: Connection }) => {
  const say = connectionTexts.useTexts();
  const runs = useRuns(connection.id);
  const code = runs.data?.find((run) => !isOpen(run))?.error_code ?? null;
  return (
    <Alert color="red" variant="light" title={say('status.error')}>
      <Stack gap="xs">
        {code !== null && <CauseText code={code} />}
        <Group>
          <Button component={Link} to={`/connections/${connection.id}/credentials`} size="xs">
            {say('credentials.action')}
          </Button>
          <RepairLink connection={connection} />
        </Group>
      </Stack>
    </Alert>
  );
};

/** Shown while the institution waits until a person approves the login on the phone. */
export const WaitingForApproval = ({ connection }: { connection: Connection }) => {
  const say = runTexts.useTexts();
  const runs = useRuns(connection.id);
  const waiting = runs.data?.find((run) => isOpen(run) && run.progress?.waiting_for === 'approval');
  if (waiting === undefined) return null;
  const time = waiting.progress?.until === undefined ? '' : timeOfDay(waiting.progress.until);
  return (
    <Alert color="blue" variant="light" title={say('approval.title')} role="alert">
      <Text size="sm">{say('approval.text', { source: connection.external_source_name, time })}</Text>
    </Alert>
  );
};

/** What the owner must do about the connection although its syncs succeed. */
export const AttentionNotices = ({ connection }: { connection: Connection }) => {
  // Renders again when the language changes.
  connectionTexts.useTexts();
  return describeAttention(connection.attention).map((text) => (
    <Alert key={text} color="orange" variant="light">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        <RepairLink connection={connection} />
      </Stack>
    </Alert>
  ));
};
