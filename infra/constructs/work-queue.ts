/**
 * Work queues and dead-letter queues. The table also stores the content of every message, so the loss of a message only
 * delays its work.
 */
import { Duration } from 'aws-cdk-lib';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLettersName, queueName } from '#infra/names.ts';

/**
 * AWS recommends a visibility timeout of six times the function's timeout. With a lower factor, SQS may deliver a batch
 * a second time while a slow worker still processes it (architecture.md §7.3).
 */
const VISIBILITY_FACTOR = 6;
const RECEIVES_MAX = 5;
const DEAD_LETTERS_KEPT = Duration.days(14);
const KEPT = Duration.days(4);

/**
 * SQS encrypts the messages with its own key. A key of ours is not necessary, because messages contain no secrets;
 * senders would need a permission on such a key.
 */
const PROTECTED = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

/** @param of a key of `QUEUES`, or `ALL_SCOPES` */
export const makeDeadLetters = (scope: Construct, id: string, { stage, of }: { stage: string; of: string }): Queue =>
  new Queue(scope, id, { ...PROTECTED, queueName: deadLettersName(stage, of), retentionPeriod: DEAD_LETTERS_KEPT });

interface WorkQueueProps {
  /** Name of the stage. */
  stage: string;
  /** A key of `QUEUES`, or a scope's queue. */
  name: string;
  consumerTimeoutSeconds: number;
  /** ARN of a shared dead-letter queue; null when the queue has its own. */
  sharedDeadLetters: string | null;
}

export class WorkQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    const { stage, name, consumerTimeoutSeconds, sharedDeadLetters } = props;
    const deadLetters: IQueue =
      sharedDeadLetters === null
        ? makeDeadLetters(this, 'DeadLetters', { stage, of: name })
        : Queue.fromQueueArn(this, 'DeadLetters', sharedDeadLetters);
    this.queue = new Queue(this, 'Queue', {
      ...PROTECTED,
      queueName: queueName(stage, name),
      retentionPeriod: KEPT,
      visibilityTimeout: Duration.seconds(VISIBILITY_FACTOR * consumerTimeoutSeconds),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: RECEIVES_MAX },
    });
  }
}
