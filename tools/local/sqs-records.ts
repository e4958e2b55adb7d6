/** Converts SQS messages to the event of an event source mapping, and interprets the function's result for a batch. */
import type { Message } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod';

export const toRecord = (message: Message, queueArn: string, region: string): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  attributes: (message.Attributes ?? {}) as unknown as SQSRecord['attributes'],
  // The attributes are always empty, because our messages have none.
  messageAttributes: {},
  md5OfBody: message.MD5OfBody ?? '',
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: region,
});

const Failures = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() });

/**
 * Returns the ids of the messages that are done, by the rules of `ReportBatchItemFailures`. An empty or absent list of
 * failures means that all messages are done. A failed function, a malformed result, or an identifier that is not in the
 * batch means that no message is done.
 */
export const doneMessages = (messageIds: readonly string[], answerJson: string | undefined): readonly string[] => {
  if (answerJson === undefined) return [];
  const answer: unknown = JSON.parse(answerJson);
  if (answer === null || answer === '') return messageIds;
  const parsed = Failures.safeParse(answer);
  if (!parsed.success) return [];
  const failed = new Set((parsed.data.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier));
  return [...failed].every((id) => messageIds.includes(id)) ? messageIds.filter((id) => !failed.has(id)) : [];
};
