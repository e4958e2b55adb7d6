/** A worker called by the clock. */
import { Aws, Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { EventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

/** Only schedules of this account may take the role. */
export const schedulerPrincipal = (): ServicePrincipal =>
  new ServicePrincipal('scheduler.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  });

/** The next firing does what this one could not: retries would only pile up. */
const RETRIES = 0;
/** The least that both accept, Scheduler and Lambda. */
const EVENT_AGE_MAX = Duration.seconds(60);

interface ScheduleSettings {
  target: LambdaFunction;
  expression: string;
  /** Made, and disabled. */
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
    // A rate without StartDate fires at once when created, which does no harm to a sweep; a StartDate of synth time
    // would make every synth a change.
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
    // By AWS's documents Scheduler's own policy ends where Lambda accepts the event; Lambda then runs a failed one twice more.
    new EventInvokeConfig(this, 'Invocations', {
      function: target,
      retryAttempts: RETRIES,
      maxEventAge: EVENT_AGE_MAX,
    });
  }
}
