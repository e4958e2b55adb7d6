/**
 * Shows a secret only once. The secret disappears when the person confirms that they stored it, and the dashboard
 * stores it nowhere else.
 */
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { secretTexts } from './texts.ts';

interface SecretOnceProps {
  title: string;
  secret: string;
  onDone: () => void;
}

export const SecretOnce = ({ title, secret, onDone }: SecretOnceProps) => {
  const say = secretTexts.useTexts();
  const [copied, setCopied] = useState<'copy' | 'copied' | 'copy.failed'>('copy');
  const copy = (): void => {
    navigator.clipboard.writeText(secret).then(
      () => setCopied('copied'),
      () => setCopied('copy.failed'),
    );
  };
  return (
    <Alert color="green" variant="light" title={title} role="alert">
      <Stack gap="sm">
        <Text size="sm">{say('once')}</Text>
        <Code block aria-label={title} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {secret}
        </Code>
        <Group>
          <Button size="xs" onClick={copy}>
            {say(copied === 'copied' ? 'copied' : 'copy')}
          </Button>
          <Button size="xs" variant="default" onClick={onDone}>
            {say('done')}
          </Button>
        </Group>
        {copied === 'copy.failed' && <Text size="sm">{say('copy.failed')}</Text>}
      </Stack>
    </Alert>
  );
};
