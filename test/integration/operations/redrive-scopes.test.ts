/** The dead letters that all scopes share: each goes back to the queue that it came from, or stays and is reported. */
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListMessageMoveTasksCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TaskMessage } from '#shared/messaging/queues.ts';
import { sendTask } from '#shared/messaging/send.ts';
import { mockAwsClient } from '#test/fakes/aws-client.ts';
import { findSharedDeadLetters } from '#tools/operations/find-queues.ts';
import { moveDeadLetters } from '#tools/operations/move-messages.ts';
import { CREDENTIALS, redrive, useLoopbackQueues } from './loopback-queues.ts';

const SCOPES = ['sync-tax-rcv', 'sync-tax-boletas'];
const DEAD = 'data-connections-dev-scopes-dead-letters';

const ID = '018f3a1e-5b7c-7def-8123-456789abcdef';
const work = (generation: number) =>
  ({ kind: 'work', organizationId: ID, connectionId: ID, runId: ID, scope: 'rcv', generation }) as const;
const LOGOUT = { kind: 'logout', organizationId: ID, source: 'tax', login: 'l', slot: 0 } as const;

describe('where SQS knows no move tasks', () => {
  const queues = useLoopbackQueues();

  const create = (name: string, attributes: Record<string, string> = {}) =>
    queues.sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
  /** Each test has its own stage, so that letters which stay in one are not seen by another. */
  const newStage = async (stage: string): Promise<void> => {
    const deadLetters = `data-connections-${stage}-scopes-dead-letters`;
    await create(deadLetters);
    const deadLetterTargetArn = `arn:aws:sqs:us-east-1:000000000000:${deadLetters}`;
    for (const scope of SCOPES)
      await create(`data-connections-${stage}-${scope}`, {
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 }),
      });
  };

  const urlOf = async (name: string) => (await queues.sqs.send(new GetQueueUrlCommand({ QueueName: name }))).QueueUrl!;

  const take = async (name: string): Promise<string[]> => {
    const url = await urlOf(name);
    const { Messages = [] } = await queues.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10 }),
    );
    for (const { ReceiptHandle } of Messages)
      await queues.sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
    return Messages.map(({ Body }) => Body!);
  };

  const bury = async (stage: string, body: string) => {
    const url = await urlOf(`data-connections-${stage}-scopes-dead-letters`);
    await queues.sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: body }));
  };

  const redriveScopes = (stage: string) =>
    redrive(['--queue', 'scopes', '--stage', stage], { AWS_ENDPOINT_URL_SQS: queues.endpoint });

  test('what the service sent and its workers gave up goes back to the scope it was for, and nothing else stays', async () => {
    await newStage('buried');
    for (const [name, value] of Object.entries({ ...CREDENTIALS, AWS_ENDPOINT_URL_SQS: queues.endpoint }))
      vi.stubEnv(name, value);
    vi.stubEnv(
      'QUEUE_URL_PREFIX',
      (await urlOf('data-connections-buried-scopes-dead-letters')).replace('scopes-dead-letters', ''),
    );
    await sendTask('tax', 'rcv', work(1));
    await sendTask('tax', 'boletas', { ...work(2), scope: 'boletas' });
    await sendTask('tax', 'boletas', LOGOUT);
    // The one permitted receive; the next receive finds nothing and moves the message to the dead letters.
    for (const scope of SCOPES)
      for (let receive = 0; receive < 2; receive++)
        await queues.sqs.send(
          new ReceiveMessageCommand({
            QueueUrl: await urlOf(`data-connections-buried-${scope}`),
            MaxNumberOfMessages: 10,
            VisibilityTimeout: 0,
          }),
        );
    expect((await redriveScopes('buried')).stdout.split('\n')).toEqual([
      'queue          scopes of stage buried',
      'dead letters   3 before',
      'moved back     3, by receiving, sending and deleting',
      'dead letters   0 left',
      '',
    ]);
    const [rcv, boletas] = await Promise.all(SCOPES.map((scope) => take(`data-connections-buried-${scope}`)));
    expect(rcv!.map((body) => TaskMessage.parse(JSON.parse(body)))).toEqual([{ ...work(1), source: 'tax' }]);
    expect(boletas!.map((body) => TaskMessage.parse(JSON.parse(body)).kind).sort()).toEqual(['logout', 'work']);
  });

  test('a message without a target queue stays, is reported with its reason, and delays no other message', async () => {
    await newStage('stays');
    await bury('stays', JSON.stringify({ ...work(3), source: 'tax', scope: 'gone' }));
    await bury('stays', JSON.stringify(work(4)));
    await bury('stays', 'no JSON');
    await bury('stays', JSON.stringify({ ...work(5), source: 'tax' }));
    const refused = redriveScopes('stays');
    await expect(refused).rejects.toMatchObject({ code: 1 });
    const { stdout } = await refused.catch((error: { stdout: string }) => error);
    expect(stdout.split('\n')).toEqual([
      'queue          scopes of stage stays',
      'dead letters   4 before',
      'moved back     1, by receiving, sending and deleting',
      'stayed         1: came from data-connections-stays-sync-tax-gone, which does not exist any more',
      'stayed         2: does not say which queue it came from',
      'dead letters   3 left',
      '',
    ]);
    expect(await take('data-connections-stays-sync-tax-rcv')).toHaveLength(1);
    expect(await take('data-connections-stays-sync-tax-boletas')).toEqual([]);
  });

  test('a stage without them, and a scope, which has no own ones, are refused', async () => {
    await expect(findSharedDeadLetters(queues.sqs, 'bare')).rejects.toThrow('stage bare has no queue scopes');
    const told = redrive(['--queue', 'sync-tax-rcv']);
    await expect(told).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('purges scopes') });
  });
});

test('messages that were sent before they named their source and scope are still read', () => {
  expect(TaskMessage.parse(work(1))).toEqual(work(1));
  expect(TaskMessage.parse(LOGOUT)).toEqual(LOGOUT);
});

/** fauxqs supports no move tasks and does not report the origin of a dead letter, so AWS's answers are mocked. */
describe('where it does', () => {
  const arn = (name: string) => `arn:aws:sqs:us-east-1:1:${name}`;
  const client = new SQSClient({ region: 'us-east-1' });
  let played: ReturnType<typeof mockAwsClient>;

  beforeEach(() => {
    played = mockAwsClient(SQSClient);
    played.on(GetQueueUrlCommand).callsFake(({ QueueName }) => {
      if (/gone/.test(QueueName)) throw Object.assign(new Error('?'), { name: 'QueueDoesNotExist' });
      return { QueueUrl: `https://sqs/${QueueName}` };
    });
    played.on(GetQueueAttributesCommand).resolves({
      Attributes: {
        QueueArn: arn(DEAD),
        ApproximateNumberOfMessages: '3',
        ApproximateNumberOfMessagesNotVisible: '0',
      },
    });
    played.on(StartMessageMoveTaskCommand).resolves({ TaskHandle: 't' });
    played.on(SendMessageCommand).resolves({});
    played.on(DeleteMessageCommand).resolves({});
  });
  afterEach(() => played.restore());

  const move = async () => moveDeadLetters(client, await findSharedDeadLetters(client, 'dev'));

  test('the task has no destination: each goes back to its source', async () => {
    played.on(ListMessageMoveTasksCommand).resolves({
      Results: [{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 3 }],
    });
    expect(await move()).toMatchObject({ by: 'StartMessageMoveTask', moved: 3, failure: null });
    expect(played.commandCalls(StartMessageMoveTaskCommand)[0]?.args[0].input).toEqual({ SourceArn: arn(DEAD) });
    expect(played.commandCalls(ReceiveMessageCommand)).toEqual([]);
  });

  test('a task that fails leaves the rest to a manual move, which trusts SQS more than the body', async () => {
    played.on(ListMessageMoveTasksCommand).resolves({
      Results: [{ Status: 'FAILED', ApproximateNumberOfMessagesMoved: 0, FailureReason: 'a queue is gone' }],
    });
    const body = JSON.stringify({ ...work(1), source: 'tax' });
    const from = (name: string) => ({ Body: body, Attributes: { DeadLetterQueueSourceArn: arn(name) } });
    played.on(ReceiveMessageCommand).resolves({
      Messages: [
        from('data-connections-dev-sync-tax-boletas'),
        from('data-connections-dev-sync-tax-gone'),
        from('data-connections-prod-sync-tax-rcv'),
      ],
    });
    const { by, moved, stayed, failure } = await move();
    expect([by, moved, failure]).toEqual(['hand', 1, 'the move task failed: a queue is gone']);
    expect([...stayed]).toEqual([
      ['came from data-connections-dev-sync-tax-gone, which does not exist any more', 1],
      ['came from data-connections-prod-sync-tax-rcv, which is not of stage dev', 1],
    ]);
    expect(played.commandCalls(SendMessageCommand).map(({ args }) => args[0].input.QueueUrl)).toEqual([
      'https://sqs/data-connections-dev-sync-tax-boletas',
    ]);
    expect(played.commandCalls(DeleteMessageCommand)).toHaveLength(1);
    expect(played.commandCalls(ReceiveMessageCommand)[0]?.args[0].input.MessageSystemAttributeNames).toContain(
      'DeadLetterQueueSourceArn',
    );
  });

  test('a message that stays is reported once, however often it is received, and counts only once', async () => {
    played.on(StartMessageMoveTaskCommand).rejects(Object.assign(new Error('?'), { name: 'InvalidAction' }));
    const stays = { MessageId: 'a', Body: 'no JSON' };
    const goes = { MessageId: 'b', Body: JSON.stringify({ ...work(1), source: 'tax' }) };
    played
      .on(ReceiveMessageCommand)
      .resolvesOnce({ Messages: [stays] })
      .resolvesOnce({ Messages: [stays, goes] })
      .resolves({ Messages: [stays] });
    const { moved, stayed } = await move();
    expect([moved, [...stayed.values()]]).toEqual([1, [1]]);
  });

  test('an SQS refusal of a manual move is also reported', async () => {
    played.on(ListMessageMoveTasksCommand).resolves({ Results: [{ Status: 'FAILED', FailureReason: 'AccessDenied' }] });
    played.on(ReceiveMessageCommand).rejects(Object.assign(new Error('not you'), { name: 'AccessDenied' }));
    await expect(move()).rejects.toThrow('not you');
  });
});
