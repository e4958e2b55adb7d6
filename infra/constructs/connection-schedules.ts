/**
 * The group of the connections' schedules, one per connection, and the role with which Scheduler sends their messages,
 * and the messages that it could not send to the target's dead letters.
 */
import type { RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { deadLettersArn, queueArn } from './imported-by-name.ts';
import { schedulerPrincipal } from './worker-schedule.ts';

/** Queue to which the schedules send. */
export const SCHEDULE_TARGET = 'sync-requests';

export class ConnectionSchedules extends Construct {
  readonly group: CfnScheduleGroup;
  /** The role may send only to the schedules' target queue and to its dead letters. */
  readonly role: Role;

  constructor(scope: Construct, id: string, { stage, removalPolicy }: { stage: string; removalPolicy: RemovalPolicy }) {
    super(scope, id);
    this.group = new CfnScheduleGroup(this, 'Group');
    this.group.applyRemovalPolicy(removalPolicy);
    this.role = new Role(this, 'Role', {
      assumedBy: schedulerPrincipal(),
      inlinePolicies: {
        send: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['sqs:SendMessage'],
              resources: [queueArn(stage, SCHEDULE_TARGET), deadLettersArn(stage, SCHEDULE_TARGET)],
            }),
          ],
        }),
      },
    });
  }
}
