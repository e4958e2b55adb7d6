/**
 * The page to which a client sends a person to request permission. The API validates the request, which is in the
 * page's address. The page shows only the API's response and nothing from the address itself.
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

/**
 * Says that the request is wrong and offers a button for the redirect to the client. The redirect is never automatic,
 * because anybody could then use this page to send people to any address.
 */
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
    // The review is not fetched again in the background, because the person decides about the review that is shown.
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
