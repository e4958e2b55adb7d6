/** SQS messages in the shape in which an event source mapping hands them over, and the verdict on a batch. */
import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod';

type RecordAttribute = SQSRecord['messageAttributes'][string];

const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64');

const attributeOf = ({ DataType, StringValue, BinaryValue }: MessageAttributeValue): RecordAttribute =>
  ({
    ...(StringValue === undefined ? {} : { stringValue: StringValue }),
    ...(BinaryValue === undefined ? {} : { binaryValue: base64(BinaryValue) }),
    stringListValues: [],
    binaryListValues: [],
    dataType: DataType ?? 'String',
  }) as unknown as RecordAttribute;

export const toRecord = (message: Message, queueArn: string, region: string): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  attributes: (message.Attributes ?? {}) as unknown as SQSRecord['attributes'],
  messageAttributes: Object.fromEntries(
    Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attributeOf(value)]),
  ),
  md5OfBody: message.MD5OfBody ?? '',
  ...(message.MD5OfMessageAttributes ? { md5OfMessageAttributes: message.MD5OfMessageAttributes } : {}),
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: region,
});

const Failures = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() });

/**
 * Which messages of the batch are done. Of a plain mapping: all when the function answered, none when it failed. With
 * `ReportBatchItemFailures`: an empty or absent list means all; anything malformed, or an identifier that is not in the
 * batch, means none.
 */
export const doneMessages = (
  messageIds: readonly string[],
  answerJson: string | undefined,
  reportsItemFailures: boolean,
): readonly string[] => {
  if (answerJson === undefined) return [];
  if (!reportsItemFailures) return messageIds;
  const answer: unknown = JSON.parse(answerJson);
  if (answer === null || answer === '') return messageIds;
  const parsed = Failures.safeParse(answer);
  if (!parsed.success) return [];
  const failed = new Set((parsed.data.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier));
  return [...failed].every((id) => messageIds.includes(id)) ? messageIds.filter((id) => !failed.has(id)) : [];
};
