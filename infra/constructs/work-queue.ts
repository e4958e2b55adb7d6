/** A queue of work with its dead letters. What a message says is in the table too: losing one costs only time. */
import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLettersName, queueName } from '#infra/names.ts';

/** AWS's advice for event source mappings: below it a slow batch is handed out twice (architecture.md §7.3). */
const VISIBILITY_FACTOR = 6;
const RECEIVES_MAX = 5;
const DEAD_LETTERS_KEPT = Duration.days(14);
const KEPT = Duration.days(4);

interface WorkQueueProps {
  /** Name of the stage. */
  stage: string;
  /** A key of `QUEUES`, or a scope's queue. */
  name: string;
  consumerTimeoutSeconds: number;
}

export class WorkQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { stage, name, consumerTimeoutSeconds }: WorkQueueProps) {
    super(scope, id);
    // Encrypted with the queue service's own key: no message has a secret, and no sender needs a permission on a key.
    const shared = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    const deadLetters = new Queue(this, 'DeadLetters', {
      ...shared,
      queueName: deadLettersName(stage, name),
      retentionPeriod: DEAD_LETTERS_KEPT,
    });
    this.queue = new Queue(this, 'Queue', {
      ...shared,
      queueName: queueName(stage, name),
      retentionPeriod: KEPT,
      visibilityTimeout: Duration.seconds(VISIBILITY_FACTOR * consumerTimeoutSeconds),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: RECEIVES_MAX },
    });
  }
}
