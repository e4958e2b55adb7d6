/** Deliveries that the local inbox received, newest first. */
import { Stack, Text, Title } from '@mantine/core';
import { Read } from '../problem/read.tsx';
import { WideRow, WideTable } from '../shell/wide-table.tsx';
import { instant } from '../text/format.ts';
import { type InboxItem, useInboxItems } from './local-inbox.ts';
import { webhookTexts } from './texts.ts';

const SHOWN_MAX = 20;

/** The body may be any text, because any program may post to the inbox. */
const typeOf = ({ body }: InboxItem): string => {
  try {
    return String((JSON.parse(body) as { type?: unknown }).type ?? '-');
  } catch {
    return '-';
  }
};

export const InboxTable = ({ url }: { url: string }) => {
  const say = webhookTexts.useTexts();
  const query = useInboxItems();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say('local.title')}
      </Title>
      <Text size="sm">{say('local.text', { url })}</Text>
      <Read query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Text>{say('local.empty')}</Text>
          ) : (
            <WideTable
              label={say('local.title')}
              head={[say('local.at'), say('local.event'), say('local.signature'), say('local.answered')]}
            >
              {data.slice(0, SHOWN_MAX).map((item) => (
                <WideRow key={item.id}>
                  {instant(item.received_at)}
                  {typeOf(item)}
                  {item.verified ? say('local.verified') : say('local.not-verified', { reason: item.reason ?? '-' })}
                  {item.answered}
                </WideRow>
              ))}
            </WideTable>
          )
        }
      </Read>
    </Stack>
  );
};
