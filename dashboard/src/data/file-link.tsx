/** Link to the file of a row. The file's address is requested at the click, because it is valid for only a minute. */
import { Anchor, Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { readJson } from '../api/client.ts';
import { ApiRefusal } from '../api/refusal.ts';
import { Problem } from '../problem/problem.tsx';
import { pathWith } from './find-resource.ts';
import type { ScopeList } from './scope-list.ts';
import { dataTexts } from './texts.ts';

interface FileLinkProps {
  list: ScopeList;
  id: string;
  name: string;
}

const isMissing = (error: unknown): boolean => error instanceof ApiRefusal && error.status === 404;

interface Link {
  url: string;
  expires_at: string;
}

export const FileLink = ({ list, id, name }: FileLinkProps) => {
  const say = dataTexts.useTexts();
  const link = useMutation({
    mutationFn: () =>
      readJson<{ data: Link }>(pathWith(list.resource.download ?? '', list.connectionId, id), new URLSearchParams()),
  });
  return (
    <Group gap="xs">
      <Button
        size="compact-xs"
        variant="default"
        loading={link.isPending}
        aria-label={say('row.download.named', { name })}
        onClick={() => link.mutate()}
      >
        {say('row.download')}
      </Button>
      {link.data && (
        <Anchor href={link.data.data.url} target="_blank" rel="noreferrer" size="sm">
          {say('row.download.open', { name })}
        </Anchor>
      )}
      {link.error && (
        <Problem error={link.error} text={isMissing(link.error) ? say('row.download.missing') : undefined} />
      )}
    </Group>
  );
};
