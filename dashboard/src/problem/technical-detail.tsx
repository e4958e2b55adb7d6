/** A message of the service, which is English. A page in another language offers it to be copied for support. */
import { Button, CopyButton, Text } from '@mantine/core';
import { common } from '../text/common-texts.ts';
import { language } from '../text/language.ts';
import { refusalTexts } from './refusal-texts.ts';

export const TechnicalDetail = ({ message }: { message: string }) => {
  const say = refusalTexts.useTexts();
  if (language === 'en') return <Text size="sm">{message}</Text>;
  return (
    <CopyButton value={message}>
      {({ copied, copy }) => (
        <Button size="compact-xs" variant="default" w="max-content" onClick={copy}>
          {copied ? common.say('action.copied') : say('copy')}
        </Button>
      )}
    </CopyButton>
  );
};
