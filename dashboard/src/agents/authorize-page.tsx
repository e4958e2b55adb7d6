/**
 * A client sends a person here to request permission. The request is in the address and the API validates it; this page
 * shows only what the API returns, and nothing from the address itself.
 */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { api, must } from '../api/client.ts';
import { ApiRefusal } from '../api/refusal.ts';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import { ConsentCard } from './consent-card.tsx';
import { goTo, type Review } from './review.ts';
import { agentTexts } from './texts.ts';

/** Shown when the address contains no valid request, so there is no button to retry. */
const InvalidLink = ({ message }: { message: string }) => {
  const say = agentTexts.useTexts();
  return (
    <Alert color="red" variant="light" role="alert" title={say('invalid.title')}>
      <Stack gap="xs">
        <Text size="sm">{say('invalid.text')}</Text>
        <Text size="sm">{say('invalid.detail', { message })}</Text>
      </Stack>
    </Alert>
  );
};

/** Redirects only on a click: an automatic redirect would let anybody send people to any address. */
const WrongRequest = ({ review, to }: { review: Review; to: string }) => {
  const say = agentTexts.useTexts();
  return (
    <Alert color="orange" variant="light" role="alert" title={say('wrong.title')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{say('wrong.text')}</Text>
        <Group>
          <Button variant="default" onClick={() => goTo(to)}>
            {say('wrong.back', { host: review.redirect_host })}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
};

export const Component = () => {
  const say = agentTexts.useTexts();
  const query = useLocation().search.slice(1);
  const review = useQuery({
    queryKey: ['authorization', query],
    queryFn: ({ signal }) => must(api.POST('/oauth/reviews', { body: { query }, signal })),
    enabled: query !== '',
    // The person decides about the review that is shown, so it is not fetched again in the background.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const { error } = review;
  const isInvalid = query === '' || (error instanceof ApiRefusal && error.status === 422);
  return (
    <Page title={say('authorize.title')}>
      {isInvalid ? (
        <InvalidLink message={error instanceof ApiRefusal ? error.message : 'query is empty'} />
      ) : (
        <Read query={review}>
          {({ data }) =>
            data.to === null ? <ConsentCard query={query} review={data} /> : <WrongRequest review={data} to={data.to} />
          }
        </Read>
      )}
    </Page>
  );
};
