/**
 * Form in which a person enters a session, for stages where only an operator creates sessions (`npm run -s session`).
 */
import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiRefusal } from '../api/refusal.ts';
import { openSession } from '../api/session.ts';
import { Problem } from '../problem/problem.tsx';
import { signInTexts } from './texts.ts';

/**
 * Statuses with which the API refuses the entered text: 401 for an invalid or expired session, 403 for a session
 * without an organization, 422 for a text that is too long.
 */
const REFUSED: readonly number[] = [401, 403, 422];

export const TokenForm = ({ onSignedIn }: { onSignedIn: () => void }) => {
  const say = signInTexts.useTexts();
  const [token, setToken] = useState('');
  const attempt = useMutation({ mutationFn: () => openSession(token.trim()), onSuccess: onSignedIn });
  const isRefused = attempt.error instanceof ApiRefusal && REFUSED.includes(attempt.error.status);
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
