/** A page of the dashboard: title, actions, content. Also sets the document's title. */
import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { common } from '../text/common-texts.ts';

interface PageProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

export const Page = ({ title, actions, children }: PageProps) => {
  const say = common.useTexts();
  useEffect(() => {
    document.title = `${title} · ${say('product')}`;
  }, [title, say]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="center">
        <Title order={1} size="h2">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
};
