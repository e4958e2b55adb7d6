/** A queue of work with its dead letters. What a message says is in the table too: losing one costs only time. */
import { Duration, Tags } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { pascal } from '#infra/names.ts';

export const QUEUE_TAG = 'queue';

/** AWS's advice for event source mappings: below it a slow batch is handed out twice (architecture.md §7.3). */
const VISIBILITY_FACTOR = 6;
const RECEIVES_MAX = 5;
const DEAD_LETTERS_KEPT = Duration.days(14);
const KEPT = Duration.days(4);

export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, name: string, consumerTimeoutSeconds: number) {
    super(scope, pascal(name));
    // Found again by it: physical names are CloudFormation's, which cuts long ones (infra/operations/find-queues.ts).
    Tags.of(this).add(QUEUE_TAG, name);
    // Encrypted with the queue service's own key: no message has a secret, and no sender needs a permission on a key.
    const shared = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new Queue(this, 'DeadLetters', { ...shared, retentionPeriod: DEAD_LETTERS_KEPT });
    this.queue = new Queue(this, 'Queue', {
      ...shared,
      retentionPeriod: KEPT,
      visibilityTimeout: Duration.seconds(VISIBILITY_FACTOR * consumerTimeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: RECEIVES_MAX },
    });
  }
}
