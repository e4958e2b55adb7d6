/**
 * The group of the connections' schedules, one per connection, and the role with which Scheduler sends their messages.
 */
import type { RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { schedulerPrincipal } from './worker-schedule.ts';

export class ConnectionSchedules extends Construct {
  readonly group: CfnScheduleGroup;
  /** The role may send only to the schedules' target queue. */
  readonly role: Role;

  constructor(
    scope: Construct,
    id: string,
    { target, removalPolicy }: { target: Queue; removalPolicy: RemovalPolicy },
  ) {
    super(scope, id);
    this.group = new CfnScheduleGroup(this, 'Group');
    this.group.applyRemovalPolicy(removalPolicy);
    this.role = new Role(this, 'Role', {
      assumedBy: schedulerPrincipal(),
      inlinePolicies: {
        send: new PolicyDocument({
          statements: [new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [target.queueArn] })],
        }),
      },
    });
  }
}
