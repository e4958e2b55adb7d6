/**
 * The page of a connect link. It belongs to a customer without an account: it says who asks for what, takes the
 * credentials, and shows what became of them. It reads no other data.
 */
import { Button, Card, Group, List, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiRefusal } from '../api/refusal.ts';
import { Problem } from '../problem/problem.tsx';
import { common } from '../text/common-texts.ts';
import { switchLanguage } from '../text/switch-language.ts';
import styles from './connect.module.css';
import { CredentialsForm } from './credentials-form.tsx';
import { closeLink, type LinkSession, openLink, showLink, takeToken, wayBack } from './link-session.ts';
import { connectTexts } from './texts.ts';
import { VerdictAlert } from './verdict.tsx';

const POLL_MS = 2_000;

const isWaiting = (session: LinkSession | undefined): boolean =>
  session?.state === 'checking' || session?.state === 'approval';

/** Opens the link of the address once; later reads use the cookie. */
const readSession = async (): Promise<LinkSession> => {
  const parts = takeToken();
  return parts === undefined ? showLink() : openLink(parts);
};

const Asks = ({ session }: { session: LinkSession }) => {
  const say = connectTexts.useTexts();
  const { asked_by, kind, name, scopes } = session;
  const source = session.source.name;
  const labels = scopes.map((scope) => session.source.scopes.find((each) => each.name === scope)?.label ?? scope);
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

const Asked = ({ session, onDecline }: { session: LinkSession; onDecline: () => void }) => (
  <Stack gap="lg">
    {session.state === 'asked' && <Asks session={session} />}
    <VerdictAlert session={session} />
    {session.state === 'accepted' && <BackButton session={session} status="connected" />}
    {!isWaiting(session) && session.state !== 'accepted' && <CredentialsForm session={session} onDecline={onDecline} />}
  </Stack>
);

const Content = () => {
  const say = connectTexts.useTexts();
  const [declined, setDeclined] = useState<LinkSession | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['connect-session'],
    queryFn: readSession,
    enabled: declined === null,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (isWaiting(state.data) ? POLL_MS : false),
  });
  const decline = (): void => {
    setDeclined(data ?? null);
    void closeLink();
  };
  if (declined !== null)
    return (
      <Ended title={say('declined.title')} text={say('declined.text')}>
        <BackButton session={declined} status="not_connected" />
      </Ended>
    );
  if (error instanceof ApiRefusal && error.status === 410)
    return <Ended title={say('ended.title')} text={say('ended.text')} />;
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loader size="sm" aria-label={common.say('state.loading')} />;
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
  const say = connectTexts.useTexts();
  const product = common.useTexts()('product');
  useEffect(() => {
    document.title = product;
  }, [product]);
  return (
    <div className={styles.page}>
      <header>
        <Group justify="space-between">
          <Text fw={700}>{product}</Text>
          <Button size="xs" variant="default" onClick={switchLanguage}>
            {say('language')}
          </Button>
        </Group>
      </header>
      <main>
        <Content />
      </main>
    </div>
  );
};
