/** Takes a session, for stages where only an operator creates sessions (`npm run -s session`). */
import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Refusal } from '../api/refusal.ts';
import { openSession } from '../api/session.ts';
import { Problem } from '../problem/problem.tsx';
import { signInTexts } from './texts.ts';

/** Not a session, an expired one, one without an organization, or a text that is too long for a session. */
const REFUSED: readonly number[] = [401, 403, 422];

export const TokenForm = ({ onSignedIn }: { onSignedIn: () => void }) => {
  const say = signInTexts.useTexts();
  const [token, setToken] = useState('');
  const attempt = useMutation({ mutationFn: () => openSession(token.trim()), onSuccess: onSignedIn });
  const isRefused = attempt.error instanceof Refusal && REFUSED.includes(attempt.error.status);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (token.trim() !== '') attempt.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md" align="stretch">
        <Text size="sm">{say('token.text')}</Text>
        <PasswordInput
          label={say('token.label')}
          value={token}
          autoComplete="off"
          error={isRefused ? say('token.refused') : undefined}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
        />
        {attempt.error !== null && !isRefused && <Problem error={attempt.error} />}
        <Button type="submit" loading={attempt.isPending}>
          {say('token.action')}
        </Button>
      </Stack>
    </form>
  );
};
