/** Shows any error in plain words and says how to continue. Every page and form uses this component. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { ApiRefusal, isSessionOver, LostConnection } from '../api/refusal.ts';
import { sessionIsOver } from '../api/session-over.ts';
import { common } from '../text/common-texts.ts';
import { isDescribed, refusalTexts } from './refusal-texts.ts';
import { TechnicalDetail } from './technical-detail.tsx';
import { problemTexts } from './texts.ts';

interface ProblemText {
  title: string;
  text: string;
  detail?: string;
}

const told = (error: unknown): ProblemText => {
  const say = problemTexts.say;
  if (error instanceof LostConnection) return { title: say('lost.title'), text: say('lost.text') };
  if (!(error instanceof ApiRefusal) || error.status >= 500) {
    const requestId = (error instanceof ApiRefusal && error.requestId) || '-';
    return { title: say('server.title'), text: say('server.text', { requestId }) };
  }
  if (isSessionOver(error)) return { title: say('session.title'), text: say('session.text') };
  if (error.status === 429) return { title: say('limit.title'), text: say('limit.text') };
  if (error.status === 404) return { title: say('missing.title'), text: say('missing.text') };
  const { status, code, message } = error;
  return {
    title: say('refused.title'),
    text: isDescribed(code) ? refusalTexts.say(code) : say('refused.unknown', { status, code }),
    ...(message === '' ? {} : { detail: message }),
  };
};

export interface ProblemProps {
  error: unknown;
  /** Repeats the request. If absent, no button for a retry is shown. */
  onRetry?: () => void;
  /** Explanation of the error, if the page can say more than the error's code (for example for a 409). */
  text?: string;
}

export const Problem = ({ error, onRetry, text }: ProblemProps) => {
  const say = common.useTexts();
  const { title, text: general, detail } = told(error);
  // Another attempt would not find it either.
  const isMissing = onRetry !== undefined && error instanceof ApiRefusal && error.status === 404;
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text ?? general}</Text>
        {text === undefined && detail !== undefined && <TechnicalDetail message={detail} />}
        {(isSessionOver(error) || onRetry) && (
          <Group>
            {isSessionOver(error) && (
              <Button size="xs" onClick={sessionIsOver}>
                {problemTexts.say('session.action')}
              </Button>
            )}
            {isMissing && (
              <Button component={Link} to="/connections" size="xs" variant="default">
                {problemTexts.say('missing.home')}
              </Button>
            )}
            {onRetry && !isMissing && (
              <Button size="xs" variant="default" onClick={onRetry}>
                {say('action.retry')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Alert>
  );
};
