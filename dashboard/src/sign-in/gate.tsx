/** Shows pages only if a session exists. When a session ends, the sign-in appears over the current page. */
import { Group, Loader, Modal, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readAgain } from '../api/queries.ts';
import { isSessionOver } from '../api/refusal.ts';
import { closeSession, sessionQuery } from '../api/session.ts';
import { onSessionOver } from '../api/session-over.ts';
import { Problem } from '../problem/problem.tsx';
import { AppShell } from '../shell/app-shell.tsx';
import { common } from '../text/common-texts.ts';
import { LanguageButton } from '../text/language-button.tsx';
import styles from './gate.module.css';
import { rememberHere, wasHereBefore } from './here-before.ts';
import { SignInPanel } from './sign-in-panel.tsx';
import { signInTexts } from './texts.ts';

const AWAY_MS = 5_000;

const SignInPage = ({ onSignedIn }: { onSignedIn: () => void }) => {
  const say = signInTexts.useTexts();
  const product = common.useTexts()('product');
  useEffect(() => {
    document.title = `${say('title')} · ${product}`;
  }, [say, product]);
  return (
    <main className={styles.center}>
      <Paper withBorder p="xl" radius="md" className={styles.card}>
        <Stack gap="md">
          <Group justify="space-between">
            <Text fw={700}>{product}</Text>
            <LanguageButton />
          </Group>
          <Title order={1} size="h3">
            {say('title')}
          </Title>
          <Text>{say('intro')}</Text>
          <SignInPanel onSignedIn={onSignedIn} />
        </Stack>
      </Paper>
    </main>
  );
};

export const Gate = () => {
  const say = signInTexts.useTexts();
  const closeLabel = common.useTexts()('action.close');
  const session = useQuery({
    ...sessionQuery,
    // While no answer arrives, the page tries again by itself.
    refetchInterval: ({ state }) => (state.error === null || isSessionOver(state.error) ? false : AWAY_MS),
  });
  const [isOver, setOver] = useState(false);
  useEffect(() => onSessionOver(() => setOver(true)), []);

  const isSignedIn = session.data !== undefined;
  const isStranger = !isSignedIn && isSessionOver(session.error);
  useEffect(() => {
    if (isSignedIn || isStranger) rememberHere(isSignedIn);
  }, [isSignedIn, isStranger]);

  const signedIn = async () => {
    setOver(false);
    // Queries that were sent before the new session existed would fail.
    await readAgain();
  };
  const onSignedIn = () => void signedIn();
  const leave = async () => {
    await closeSession();
    rememberHere(false);
    // Loads the page again, so that no data of this session stays in memory.
    location.assign('/');
  };

  if (!isSignedIn) {
    const isUnknown = session.error === null;
    if (isStranger || (isUnknown && !wasHereBefore())) return <SignInPage onSignedIn={onSignedIn} />;
    return (
      <main className={styles.center}>
        {isUnknown ? <Loader size="sm" /> : <Problem error={session.error} onRetry={() => void session.refetch()} />}
      </main>
    );
  }
  return (
    <>
      <AppShell onSignOut={() => void leave()} />
      <Modal
        opened={isOver}
        onClose={() => setOver(false)}
        title={say('again.title')}
        closeButtonProps={{ 'aria-label': closeLabel }}
      >
        <Stack>
          <Text size="sm">{say('again.text')}</Text>
          <SignInPanel onSignedIn={onSignedIn} />
        </Stack>
      </Modal>
    </>
  );
};
