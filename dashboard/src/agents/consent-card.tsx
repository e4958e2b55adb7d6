/**
 * Shows the authorization request: the client, the host to which the browser returns, and the data that the client may
 * read. The host has the largest text.
 */
import { Alert, Button, Card, Group, List, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, must } from '../api/client.ts';
import { readAgain } from '../api/queries.ts';
import { ApiRefusal } from '../api/refusal.ts';
import { Problem } from '../problem/problem.tsx';
import { goTo, type Review } from './review.ts';
import { agentTexts } from './texts.ts';

/**
 * Says how far the name is verified: the publisher's host vouches for it only if the answer goes to that host or to a
 * program on this computer. Anybody may publish a document on a shared host.
 */
const Verified = ({ review: { client, redirect_kind, redirect_host } }: { review: Review }) => {
  const say = agentTexts.useTexts();
  if (client.publisher === null)
    return (
      <Text size="sm" c="red">
        {say('client.unverified')}
      </Text>
    );
  const isVouchedFor = redirect_kind === 'loopback' || redirect_host === client.publisher;
  return (
    <Text size="sm" c={isVouchedFor ? 'dimmed' : 'red'}>
      {say(isVouchedFor ? 'client.published' : 'client.published.elsewhere', { host: client.publisher })}
    </Text>
  );
};

const Client = ({ review }: { review: Review }) => {
  const say = agentTexts.useTexts();
  const { name } = review.client;
  return (
    <div>
      <Text>{name === '' ? say('client.unnamed.asks') : say('client.asks', { name })}</Text>
      <Verified review={review} />
    </div>
  );
};

const Target = ({ review: { redirect_kind, redirect_host } }: { review: Review }) => {
  const say = agentTexts.useTexts();
  const isLocal = redirect_kind === 'loopback';
  const kind = redirect_kind === 'none' ? 'web' : redirect_kind;
  return (
    <div>
      {!isLocal && <Text size="sm">{say(`target.${kind}`)}</Text>}
      <Text size="xl" fw={700} style={{ overflowWrap: 'anywhere' }}>
        {isLocal ? say('target.loopback') : redirect_host}
      </Text>
      {isLocal && <Text size="sm">{redirect_host}</Text>}
      <Text size="sm">{say('target.hint')}</Text>
    </div>
  );
};

const Gets = ({ review: { organization_id, connections, days } }: { review: Review }) => {
  const say = agentTexts.useTexts();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say('gets.title')}
      </Title>
      <List size="sm">
        <List.Item>{say('gets.read')}</List.Item>
        <List.Item>{say('gets.only')}</List.Item>
        <List.Item>{say('gets.until', { days })}</List.Item>
      </List>
      <Text size="sm">{say('gets.organization', { id: organization_id })}</Text>
      <Text size="sm">{say(connections.length === 0 ? 'gets.no-connections' : 'gets.connections')}</Text>
      {connections.length > 0 && (
        <List size="sm">
          {connections.map(({ id, name, external_source_code }) => (
            <List.Item key={id}>
              {name} ({external_source_code})
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
};

/** Texts that this page shows instead of the codes of two refusals. */
const EXPLAINED: Readonly<Record<string, 'changed.text' | 'limit.text'>> = {
  authorization_changed: 'changed.text',
  grant_limit_reached: 'limit.text',
};

export const ConsentCard = ({ query, review }: { query: string; review: Review }) => {
  const say = agentTexts.useTexts();
  const decide = useMutation({
    mutationFn: (decision: 'allow' | 'deny') =>
      must(api.POST('/oauth/decisions', { body: { query, digest: review.digest ?? '', decision } })),
    onSuccess: ({ data }) => goTo(data.redirect_to),
    onError: (error) => {
      if (error instanceof ApiRefusal && error.code === 'authorization_changed')
        void readAgain({ queryKey: ['authorization', query] });
    },
  });
  if (decide.isSuccess)
    return (
      <Alert color="green" variant="light" role="status" title={say('gone.title')}>
        {say('gone.text')}
      </Alert>
    );
  const explained = decide.error instanceof ApiRefusal ? EXPLAINED[decide.error.code] : undefined;
  return (
    <Card withBorder component="section" aria-label={say('authorize.title')}>
      <Stack gap="lg">
        <Client review={review} />
        <Target review={review} />
        <Gets review={review} />
        {decide.error !== null && (
          <Problem error={decide.error} {...(explained === undefined ? {} : { text: say(explained) })} />
        )}
        <Group>
          <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate('deny')}>
            {say('deny')}
          </Button>
          <Button loading={decide.isPending} onClick={() => decide.mutate('allow')}>
            {say('allow')}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
};
