/** Says what became of the credentials, in the words of a person who knows only the institution. */
import { Alert, Loader, Stack, Text } from '@mantine/core';
import { MENDED_BY } from '../connections/codes.gen.ts';
import { timeOfDay } from '../text/format.ts';
import type { LinkSession } from './link-session.ts';
import { connectTexts } from './texts.ts';

const mendedBy: Readonly<Record<string, string>> = MENDED_BY;

type CauseKey = Extract<keyof typeof connectTexts.es, `source.${string}`>;
const isForCustomer = (code: string): code is CauseKey => code in connectTexts.es;

/** Returns the reason why the login was refused or is not known. */
export const explain = (code: string, source: string): string => {
  if (isForCustomer(code)) return connectTexts.say(code, { source });
  return connectTexts.say(mendedBy[code] === 'source' ? 'fault.source' : 'fault.us', { source });
};

const COLORS = {
  checking: 'blue',
  approval: 'blue',
  accepted: 'green',
  refused: 'red',
  stored: 'blue',
  unavailable: 'orange',
} as const;

export const VerdictAlert = ({ session }: { session: LinkSession }) => {
  const say = connectTexts.useTexts();
  const { state, error_code, until } = session;
  if (state === 'asked') return null;
  const source = session.source.name;
  const text = {
    checking: () => say('state.checking.text'),
    approval: () => say('state.approval.text', { source, time: until === null ? '' : timeOfDay(until) }),
    accepted: () => say('state.accepted.text'),
    stored: () => say('state.stored.text', { source }),
    refused: () => explain(error_code ?? '', source),
    unavailable: () => explain(error_code ?? '', source),
  }[state]();
  const isWaiting = state === 'checking' || state === 'approval';
  return (
    <Alert
      color={COLORS[state]}
      variant="light"
      title={say(`state.${state}.title`, { source })}
      // A screen reader reads each new verdict.
      role={isWaiting || state === 'accepted' ? 'status' : 'alert'}
    >
      <Stack gap="xs">
        <Text size="sm">{text}</Text>
        {state === 'accepted' && session.is_connected_twice && <Text size="sm">{say('state.accepted.twice')}</Text>}
        {isWaiting && <Loader size="sm" aria-hidden />}
      </Stack>
    </Alert>
  );
};
