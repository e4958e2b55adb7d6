/**
 * The page of a connect link. It belongs to a customer without an account: it says who asks for what, takes the
 * credentials, and shows what became of them. It reads no other data.
 */
import { Button, Card, Group, List, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { ApiRefusal } from '../api/refusal.ts';
import { nameScopes } from '../data/words.ts';
import { Problem } from '../problem/problem.tsx';
import { common } from '../text/common-texts.ts';
import { LanguageButton } from '../text/language-button.tsx';
import styles from './connect.module.css';
import { CredentialsForm } from './credentials-form.tsx';
import { closeLink, isOwn, type LinkSession, readLink, wayBack } from './link-session.ts';
import { connectTexts } from './texts.ts';
import { VerdictAlert } from './verdict.tsx';

const POLL_MS = 2_000;

/** A visible page renews its session while the customer looks for the password. */
const RENEW_MS = 300_000;

const isWaiting = (session: LinkSession | undefined): boolean =>
  session?.state === 'checking' || session?.state === 'approval';

const Asks = ({ session }: { session: LinkSession }) => {
  const say = connectTexts.useTexts();
  const { asked_by, kind, name, scopes } = session;
  const source = session.source.name;
  const known = nameScopes(session.source.code, session.source.scopes);
  const labels = scopes.map((scope) => known.find(({ name: each }) => each === scope)?.label ?? scope);
  return (
    <Stack gap="sm">
      <div>
        <Text>{say(`asks.${kind}`, { asked_by, source })}</Text>
        {name !== source && <Text size="sm">{say('asks.name', { name })}</Text>}
        <Text size="sm" c="dimmed">
          {say('asks.unverified')}
        </Text>
      </div>
      <Title order={2} size="h4">
        {say('reads.title')}
      </Title>
      <List size="sm">
        {labels.map((label) => (
          <List.Item key={label}>{label}</List.Item>
        ))}
      </List>
      <Text size="sm">{say('reads.only')}</Text>
      <Text size="sm">{say('reads.password')}</Text>
      <Text size="sm">{say('reads.withdraw', { asked_by, source })}</Text>
    </Stack>
  );
};

const BackButton = ({ session, status }: { session: LinkSession; status: 'connected' | 'not_connected' }) => {
  const say = connectTexts.useTexts();
  const to = wayBack(session, status);
  if (to === null) return null;
  return (
    <Group>
      <Button onClick={() => location.assign(to)}>{say('back', { host: new URL(to).host })}</Button>
    </Group>
  );
};

const Ended = ({ title, text, children }: { title: string; text: string; children?: ReactNode }) => (
  <Card withBorder component="section" aria-labelledby="connect-title">
    <Stack gap="md" role="status">
      <Title order={1} size="h2" id="connect-title">
        {title}
      </Title>
      <Text>{text}</Text>
    </Stack>
    {children}
  </Card>
);

const NoTries = () => {
  const say = connectTexts.useTexts();
  return <Text>{say('tries.none')}</Text>;
};

const isFormShown = ({ state }: LinkSession): boolean =>
  state === 'asked' || state === 'refused' || state === 'unavailable';

const Asked = ({ session, onDecline }: { session: LinkSession; onDecline: () => void }) => (
  <Stack gap="lg">
    <VerdictAlert session={session} />
    {isFormShown(session) && <Asks session={session} />}
    {(session.state === 'accepted' || session.state === 'stored') && (
      <BackButton session={session} status="connected" />
    )}
    {isFormShown(session) &&
      (session.tries_left > 0 ? <CredentialsForm session={session} onDecline={onDecline} /> : <NoTries />)}
  </Stack>
);

const Declined = ({ session }: { session: LinkSession }) => {
  const say = connectTexts.useTexts();
  const { asked_by, state } = session;
  if (state === 'asked')
    return (
      <Ended title={say('declined.title')} text={say('declined.text')}>
        <BackButton session={session} status="not_connected" />
      </Ended>
    );
  return (
    <Ended
      title={say('state.refused.title', { source: session.source.name })}
      text={say('declined.kept', { asked_by })}
    >
      <BackButton session={session} status="not_connected" />
    </Ended>
  );
};

const intervalOf = (session: LinkSession | undefined): number | false => {
  if (isWaiting(session)) return POLL_MS;
  return session?.state === 'accepted' ? false : RENEW_MS;
};

const useSession = (isOpen: boolean, close: () => void) => {
  const query = useQuery({
    queryKey: ['connect-session'],
    queryFn: readLink,
    enabled: isOpen,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => intervalOf(state.data),
  });
  const isAccepted = query.data?.state === 'accepted';
  useEffect(() => {
    // The next person at this browser finds no session.
    if (isAccepted) close();
  }, [isAccepted, close]);
  useEffect(() => {
    // Another address in the same tab is another link.
    const reload = (): void => location.reload();
    window.addEventListener('hashchange', reload);
    return () => window.removeEventListener('hashchange', reload);
  }, []);
  return query;
};

const Content = ({ close }: { close: () => void }) => {
  const say = connectTexts.useTexts();
  const [declined, setDeclined] = useState<LinkSession | null>(null);
  const { data, error, refetch } = useSession(declined === null, close);
  if (declined !== null) return <Declined session={declined} />;
  if (error instanceof ApiRefusal && error.status === 410)
    return <Ended title={say('ended.title')} text={say('ended.text')} />;
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loader size="sm" aria-label={common.say('state.loading')} />;
  if (!isOwn(data)) return <Ended title={say('ended.title')} text={say('other.text')} />;
  const decline = (): void => {
    setDeclined(data);
    close();
  };
  const title = say(data.kind === 'repair' ? 'title.repair' : 'title', { source: data.source.name });
  return (
    <Card withBorder component="section" aria-labelledby="connect-title">
      <Stack gap="lg">
        <Title order={1} size="h2" id="connect-title">
          {title}
        </Title>
        <Asked session={data} onDecline={decline} />
      </Stack>
    </Card>
  );
};

export const Component = () => {
  const product = common.useTexts()('product');
  const [isClosed, setClosed] = useState(false);
  const close = useCallback((): void => {
    setClosed(true);
    void closeLink();
  }, []);
  useEffect(() => {
    document.title = product;
  }, [product]);
  return (
    <div className={styles.page}>
      <header>
        <Group justify="space-between">
          <Text fw={700}>{product}</Text>
          {/* The page is loaded again in the other language, and a closed session cannot be read again. */}
          {!isClosed && <LanguageButton />}
        </Group>
      </header>
      <main>
        <Content close={close} />
      </main>
    </div>
  );
};
