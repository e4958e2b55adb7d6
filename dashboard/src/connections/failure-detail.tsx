/** What the service says of a failure in addition to its code. A Spanish page offers the English message for support. */
import { Button, CopyButton, Text } from '@mantine/core';
import { language } from '../text/language.ts';
import { causeTexts } from './cause-texts.ts';
import { failureDetail } from './causes.ts';

export const FailureDetail = ({ message }: { message: string }) => {
  const say = causeTexts.useTexts();
  const text = failureDetail(message);
  return (
    <>
      {text !== null && <Text size="sm">{text}</Text>}
      {language !== 'en' && (
        <CopyButton value={message}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" w="max-content" onClick={copy}>
              {say(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </CopyButton>
      )}
    </>
  );
};
