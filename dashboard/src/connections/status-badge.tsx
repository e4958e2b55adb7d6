/** Badges that show a status as text and colour. The text says everything, so the colour is not necessary. */
import { Badge } from '@mantine/core';
import type { Connection } from '../api/client.ts';
import { runTexts } from './run-texts.ts';
import { connectionTexts } from './texts.ts';

const CONNECTION_COLORS = { pending: 'blue', active: 'green', error: 'red', disabled: 'gray' } as const;

export const ConnectionStatus = ({ status }: { status: Connection['status'] }) => (
  <Badge variant="light" color={CONNECTION_COLORS[status]}>
    {connectionTexts.useTexts()(`status.${status}`)}
  </Badge>
);

const RUN_COLORS = {
  queued: 'gray',
  running: 'blue',
  succeeded: 'green',
  ok: 'green',
  partial: 'orange',
  failed: 'red',
  cancelled: 'gray',
} as const;
type RunStatusName = keyof typeof RUN_COLORS;
const isKnown = (status: string): status is RunStatusName => status in RUN_COLORS;

/** Shows the status of a run or of a scope's outcome. */
export const RunStatus = ({ status }: { status: string | null }) => {
  const say = runTexts.useTexts();
  const known = status !== null && isKnown(status) ? status : 'queued';
  return (
    <Badge variant="light" color={RUN_COLORS[known]}>
      {say(`status.${known}`)}
    </Badge>
  );
};
