/** Shows the stage's sign-in method, as a page before the first session and as an overlay after a session has ended. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ApiRefusal } from '../api/refusal.ts';
import { Problem } from '../problem/problem.tsx';
import { Read } from '../problem/read.tsx';
import { type ButtonSettings, settingsQuery, signIn } from './sign-in-method.ts';
import { signInTexts } from './texts.ts';
import { TokenForm } from './token-form.tsx';

/** Errors of the popup window that have their own texts. */
const WINDOW_PROBLEMS = { blocked: /not opened|blocked/i, closed: /closed/i } as const;

const SignInProblem = ({ error }: { error: Error }) => {
  const say = signInTexts.useTexts();
  if (error instanceof ApiRefusal && error.status === 403)
    return <Problem error={error} text={say('no-organization')} />;
  for (const kind of ['blocked', 'closed'] as const) {
    if (WINDOW_PROBLEMS[kind].test(error.message)) return <Alert color="orange">{say(`popup.${kind}`)}</Alert>;
  }
  return <Problem error={error} />;
};

const Way = ({ settings, onSignedIn }: { settings: ButtonSettings; onSignedIn: () => void }) => {
  const say = signInTexts.useTexts();
  const attempt = useMutation({ mutationFn: () => signIn(settings), onSuccess: onSignedIn });
  return (
    <Stack gap="md" align="flex-start">
      <Text size="sm">{say(`${settings.kind}.text`)}</Text>
      {attempt.error !== null && <SignInProblem error={attempt.error} />}
      <Button onClick={() => attempt.mutate()} loading={attempt.isPending}>
        {say(`${settings.kind}.action`)}
      </Button>
    </Stack>
  );
};

export const SignInPanel = ({ onSignedIn }: { onSignedIn: () => void }) => {
  const settings = useQuery(settingsQuery);
  return (
    <Read query={settings}>
      {(found) =>
        found.kind === 'token' ? (
          <TokenForm onSignedIn={onSignedIn} />
        ) : (
          <Way settings={found} onSignedIn={onSignedIn} />
        )
      }
    </Read>
  );
};
