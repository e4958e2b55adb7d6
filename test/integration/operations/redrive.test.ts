/** Dead letters go back over real queues (fauxqs) as the operator sends them, and no failure loses one. */
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ListMessageMoveTasksCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { mockAwsClient } from '#test/fakes/aws-client.ts';
import { findQueuePair, type QueuePair } from '#tools/operations/find-queues.ts';
import { countMessages, moveDeadLetters } from '#tools/operations/move-messages.ts';
import { redrive, useLoopbackQueues } from './loopback-queues.ts';

const queues = useLoopbackQueues();

const create = async (name: string, attributes: Record<string, string>) =>
  (await queues.sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }))).QueueUrl!;

const createPair = async (work: string, dead: string): Promise<void> => {
  await create(dead, {});
  const deadLetterTargetArn = `arn:aws:sqs:us-east-1:000000000000:${dead}`;
  await create(work, { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 5 }) });
};

/** Named as in the stacks. */
const newPair = async (queue: string, stage = 'dev'): Promise<QueuePair> => {
  const name = `data-connections-${stage}-${queue}`;
  await createPair(name, `${name}-dead-letters`);
  return findQueuePair(queues.sqs, stage, queue);
};

const bury = async ({ deadLetters }: QueuePair, bodies: readonly string[]): Promise<void> => {
  for (const body of bodies)
    await queues.sqs.send(
      new SendMessageCommand({
        QueueUrl: deadLetters.url,
        MessageBody: body,
        MessageAttributes: { kind: { DataType: 'String', StringValue: body } },
      }),
    );
};

const takeAll = async (url: string) => {
  const taken = [];
  for (;;) {
    const { Messages = [] } = await queues.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ['All'],
      }),
    );
    if (Messages.length === 0) return taken;
    taken.push(...Messages);
    for (const { ReceiptHandle } of Messages)
      await queues.sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
  }
};

const place = (name: string) => ({ url: `https://sqs/${name}`, arn: `arn:aws:sqs:us-east-1:1:${name}` });
const PLAYED: QueuePair = { work: place('work'), deadLetters: place('dead') };
const BODIES = Array.from({ length: 23 }, (_, n) => `m${n}`);

test('every dead letter goes back once, unchanged, and the operator gets a report', async () => {
  const pair = await newPair('purges');
  await bury(pair, BODIES);
  const { stdout } = await redrive(['--queue', 'purges'], { AWS_ENDPOINT_URL_SQS: queues.endpoint });
  expect(stdout.split('\n')).toEqual([
    'queue          purges of stage dev',
    'dead letters   23 before',
    'moved back     23, by receiving, sending and deleting',
    'dead letters   0 left',
    '',
  ]);
  const back = await takeAll(pair.work.url);
  expect(back.map(({ Body }) => Body).sort()).toEqual([...BODIES].sort());
  for (const { Body, MessageAttributes } of back) expect(MessageAttributes?.kind?.StringValue).toBe(Body);
});

test('a queue is found of the right stage, and one that is not there is named', async () => {
  for (const stage of ['dev', 'prod']) await newPair('sync-procurement-licitaciones', stage);
  const { work, deadLetters } = await findQueuePair(queues.sqs, 'prod', 'sync-procurement-licitaciones');
  const name = 'data-connections-prod-sync-procurement-licitaciones';
  expect([work.url, deadLetters.url].map((url) => url.split('/').at(-1))).toEqual([name, `${name}-dead-letters`]);
  await expect(findQueuePair(queues.sqs, 'prod', 'sync-tax-rcv')).rejects.toThrow(
    'stage prod has no queue sync-tax-rcv',
  );
});

test.each([
  ['nothing', []],
  ['an unknown queue', ['--queue', 'moon']],
  ['a name that no stage can have', ['--queue', 'purges', '--stage', 'q-a']],
  ['an unknown option', ['--queue', 'purges', '--force']],
])('with %s it prints its usage and does nothing', async (_, options) => {
  const told = redrive(options);
  await expect(told).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('usage: npm run redrive') });
});

/** fauxqs drops the group of a message in a queue that is not FIFO. */
test('a message sent by hand keeps its group: the queue stays fair', async () => {
  const client = mockAwsClient(SQSClient);
  client.onAnyCommand().resolves({
    Attributes: { ApproximateNumberOfMessages: '1', ApproximateNumberOfMessagesNotVisible: '0' },
  } as never);
  client.on(StartMessageMoveTaskCommand).rejects(Object.assign(new Error('?'), { name: 'InvalidAction' }));
  client.on(ReceiveMessageCommand).resolves({ Messages: [{ Body: 'b', Attributes: { MessageGroupId: 'endpoint' } }] });
  expect(await moveDeadLetters(new SQSClient({ region: 'us-east-1' }), PLAYED)).toMatchObject({ by: 'hand', moved: 1 });
  const [sent] = client.commandCalls(SendMessageCommand);
  expect(sent?.args[0].input).toEqual({ QueueUrl: PLAYED.work.url, MessageBody: 'b', MessageGroupId: 'endpoint' });
  client.restore();
});

describe('when something fails on the way', () => {
  test('the queue refuses: what was not sent is still a dead letter', async () => {
    const pair = await newPair('sync-tax-guias');
    await bury(pair, BODIES);
    const send = queues.sqs.send.bind(queues.sqs);
    let sends = 0;
    const failing = {
      send: (command: never) =>
        (command as object) instanceof SendMessageCommand && ++sends === 5
          ? Promise.reject(new Error('refused'))
          : send(command),
    };
    await expect(moveDeadLetters(failing as unknown as SQSClient, pair)).rejects.toThrow('refused');
    expect(await countMessages(queues.sqs, pair.work)).toBe(4);
    expect(await countMessages(queues.sqs, pair.deadLetters)).toBe(BODIES.length - 4);
  });

  test('the deletion fails: the message is there twice rather than never', async () => {
    const pair = await newPair('sync-tax-boletas');
    await bury(pair, ['twice']);
    const send = queues.sqs.send.bind(queues.sqs);
    const failing = {
      send: (command: never) =>
        (command as object) instanceof DeleteMessageCommand ? Promise.reject(new Error('gone')) : send(command),
    };
    await expect(moveDeadLetters(failing as unknown as SQSClient, pair)).rejects.toThrow('gone');
    expect(await countMessages(queues.sqs, pair.work)).toBe(1);
    expect(await countMessages(queues.sqs, pair.deadLetters)).toBe(1);
  });
});

/** fauxqs supports no move tasks, so AWS's answers are mocked. */
describe('on AWS', () => {
  const played = (status: 'COMPLETED' | 'FAILED') => {
    const client = mockAwsClient(SQSClient);
    client.onAnyCommand().resolves({
      Attributes: { ApproximateNumberOfMessages: '3', ApproximateNumberOfMessagesNotVisible: '0' },
    } as never);
    client.on(StartMessageMoveTaskCommand).resolves({ TaskHandle: 't' });
    client.on(ListMessageMoveTasksCommand).resolves({
      Results: [{ Status: status, ApproximateNumberOfMessagesMoved: 3, FailureReason: 'AccessDenied' }],
    });
    return client;
  };

  test('SQS moves them itself, and nothing is received or deleted by hand', async () => {
    const client = played('COMPLETED');
    expect(await moveDeadLetters(new SQSClient({ region: 'us-east-1' }), PLAYED)).toMatchObject({
      by: 'StartMessageMoveTask',
      moved: 3,
    });
    expect(client.commandCalls(StartMessageMoveTaskCommand)[0]?.args[0].input).toEqual({
      SourceArn: PLAYED.deadLetters.arn,
      DestinationArn: PLAYED.work.arn,
    });
    expect(client.commandCalls(ReceiveMessageCommand)).toEqual([]);
    client.restore();
  });

  test('a task that fails is reported with its reason', async () => {
    const client = played('FAILED');
    await expect(moveDeadLetters(new SQSClient({ region: 'us-east-1' }), PLAYED)).rejects.toThrow('AccessDenied');
    client.restore();
  });
});
