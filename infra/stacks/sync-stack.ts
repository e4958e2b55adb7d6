/** The workers, a queue for each scope, the event source mappings of all queues, and the sweeper's schedule. */
import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { chooseConcurrency } from '#infra/concurrency.ts';
import { deadLettersArn, queueArn } from '#infra/constructs/imported-by-name.ts';
import { type ServiceContext, ServiceFunction } from '#infra/constructs/service-function.ts';
import { WorkQueue } from '#infra/constructs/work-queue.ts';
import { WorkerSchedule } from '#infra/constructs/worker-schedule.ts';
import { WORKER_FUNCTIONS } from '#infra/manifest.ts';
import { ALL_SCOPES } from '#infra/names.ts';

interface SyncProps extends StackProps {
  service: ServiceContext;
  /** True if the sweeper's schedule is disabled, so that an operator can check a restored table (docs/runbook.md). */
  isSweeperOff: boolean;
}

export class SyncStack extends Stack {
  constructor(scope: Construct, id: string, { service, isSweeperOff, ...props }: SyncProps) {
    super(scope, id, props);
    for (const worker of WORKER_FUNCTIONS) {
      const fn = new ServiceFunction(this, worker, service);
      if ('schedule' in worker.trigger) {
        new WorkerSchedule(fn, 'Schedule', {
          target: fn.lambda,
          expression: worker.trigger.schedule,
          isOff: isSweeperOff,
        });
        continue;
      }
      const { queue, batchSize, windowSeconds } = worker.trigger;
      const stage = service.stage.name;
      const own = {
        stage,
        name: queue,
        consumerTimeoutSeconds: worker.timeoutSeconds,
        sharedDeadLetters: deadLettersArn(stage, ALL_SCOPES),
      };
      new EventSourceMapping(fn, 'Messages', {
        target: fn.lambda,
        eventSourceArn:
          worker.variant === null ? queueArn(stage, queue) : new WorkQueue(fn, 'Work', own).queue.queueArn,
        batchSize,
        // On one machine nothing is paid, and people wait for the sync.
        ...(windowSeconds === undefined || stage === 'local'
          ? {}
          : { maxBatchingWindow: Duration.seconds(windowSeconds) }),
        maxConcurrency: chooseConcurrency(queue, service.stage),
        reportBatchItemFailures: true,
      });
    }
  }
}
