/** A worker that a schedule invokes. */
import { Aws, Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { EventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

/** Only schedules of this account may assume the role. */
export const schedulerPrincipal = (): ServicePrincipal =>
  new ServicePrincipal('scheduler.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  });

/** Scheduler does not retry, because the next firing does the missed work and retries would only accumulate. */
const RETRIES = 0;
/** How old an event may become before it is dropped. Scheduler and Lambda accept no shorter time. */
const EVENT_AGE_MAX = Duration.seconds(60);

interface ScheduleSettings {
  target: LambdaFunction;
  expression: string;
  /** True if the schedule is created in a disabled state. */
  isOff: boolean;
}

export class WorkerSchedule extends Construct {
  constructor(scope: Construct, id: string, { target, expression, isOff }: ScheduleSettings) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      assumedBy: schedulerPrincipal(),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [target.functionArn] })],
        }),
      },
    });
    // A rate without StartDate also fires when the schedule is created, which does no harm for a sweep. With the time
    // of synth as StartDate, every synth would change the template.
    new CfnSchedule(this, 'Rate', {
      scheduleExpression: expression,
      ...(isOff ? { state: 'DISABLED' } : {}),
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: target.functionArn,
        roleArn: role.roleArn,
        input: '{}',
        retryPolicy: { maximumRetryAttempts: RETRIES, maximumEventAgeInSeconds: EVENT_AGE_MAX.toSeconds() },
      },
    });
    // Scheduler's own retry policy applies only until Lambda accepts the event. Without this setting, Lambda would then
    // retry a failed event twice (AWS's documents).
    new EventInvokeConfig(this, 'Invocations', {
      function: target,
      retryAttempts: RETRIES,
      maxEventAge: EVENT_AGE_MAX,
    });
  }
}
