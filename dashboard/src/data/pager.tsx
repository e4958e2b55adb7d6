/** Buttons that move between the pages of a list whose total is exact, and the choice of the page size. */
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { count } from '../text/format.ts';
import { PAGE_SIZES } from './filters.ts';
import { dataTexts } from './texts.ts';

interface PagerProps {
  total: number;
  shown: number;
  limit: number;
  offset: number;
  onPage: (offset: number) => void;
  /** Called with a new page size; absent when the size is fixed. */
  onSize?: (limit: string) => void;
  /** Name of the list, if the page has another list with pages. */
  of?: string;
}

export const Pager = ({ total, shown, limit, offset, onPage, onSize, of }: PagerProps) => {
  const say = dataTexts.useTexts();
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  const button = (key: 'first' | 'previous' | 'next' | 'last', to: number, isOff: boolean) => (
    <Button size="xs" variant="default" disabled={isOff} onClick={() => onPage(to)}>
      {say(`page.${key}`)}
    </Button>
  );
  const isLast = offset + shown >= total;
  return (
    <Group
      component="nav"
      justify="space-between"
      aria-label={of === undefined ? say('page.label') : say('page.label.of', { name: of })}
    >
      <Text size="sm" role="status">
        {say('page.shown', {
          from: count(shown === 0 ? 0 : offset + 1),
          to: count(offset + shown),
          total: count(total),
        })}
      </Text>
      <Group gap="xs">
        {button('first', 0, offset === 0)}
        {button('previous', Math.max(0, offset - limit), offset === 0)}
        {button('next', offset + limit, isLast)}
        {button('last', last, isLast)}
        {onSize && (
          <NativeSelect
            size="xs"
            aria-label={say('page.size')}
            value={String(limit)}
            data={[...PAGE_SIZES]}
            onChange={({ currentTarget }) => onSize(currentTarget.value)}
          />
        )}
      </Group>
    </Group>
  );
};
