/** Button below a list that arrives in pages. */
import { Button, Group } from '@mantine/core';
import { common } from '../text/common-texts.ts';

interface MoreRowsProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}

export const MoreRows = ({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: MoreRowsProps) => {
  const say = common.useTexts();
  if (!hasNextPage) return null;
  return (
    <Group>
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {say('action.more')}
      </Button>
    </Group>
  );
};
