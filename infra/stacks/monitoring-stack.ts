/**
 * Alarms, their topics, and the dashboard of prod. This stack imports from the other stacks and no stack imports from
 * it, so it can be deployed again at any time.
 */
import { Stack, type StackProps } from 'aws-cdk-lib';
import { Alarm as CloudWatchAlarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Alarm } from '#infra/monitoring/alarm.ts';
import { AlarmTopics } from '#infra/monitoring/alarm-topics.ts';
import { ALARMS } from '#infra/monitoring/alarms.ts';
import { makeBudget } from '#infra/monitoring/budget.ts';
import { makeDashboard } from '#infra/monitoring/dashboard.ts';
import { countGatewayThrottles } from '#infra/monitoring/gateway-throttles.ts';
import { type Monitored, watchedMetric } from '#infra/monitoring/watched-metric.ts';
import { pascal, tableName } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';

interface MonitoringProps extends StackProps {
  stage: Stage;
  apiId: string;
  /** Name of the group of the connections' schedules. */
  scheduleGroup: string;
}

/**
 * Returns the alarm's description, which an operator reads first at night: the severity, the problem, and the address
 * of the instructions.
 */
export const describeAlarm = (alarm: Alarm, runbookUrl: string): string =>
  `[${alarm.severity}] ${alarm.says} Runbook: ${runbookUrl}#${alarm.section}`;

const makeAlarm = (scope: Construct, alarm: Alarm, monitored: Monitored, runbookUrl: string): CloudWatchAlarm =>
  new CloudWatchAlarm(scope, pascal(alarm.id), {
    alarmDescription: describeAlarm(alarm, runbookUrl),
    metric: watchedMetric(monitored, alarm.watched, alarm.periodMinutes),
    evaluationPeriods: alarm.periods,
    threshold: alarm.threshold,
    comparisonOperator: alarm.isBelow
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: alarm.silenceRings ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });

/**
 * True if CloudFormation accepts the alarm at this stage. The emulator that tests the deploy refuses alarms with
 * arithmetic, and metric filters (architecture.md §7.2).
 */
const isPossible = (stage: Stage, { watched }: Alarm): boolean =>
  stage.name !== 'emulator' || (watched.of !== 'api-error-rate' && watched.of !== 'gateway-throttles');

export class MonitoringStack extends Stack {
  constructor(scope: Construct, id: string, { stage, apiId, scheduleGroup, ...props }: MonitoringProps) {
    super(scope, id, props);
    const monitored = { stage: stage.name, apiId, table: tableName(stage), scheduleGroup };
    const { topics } = new AlarmTopics(this, 'Topics', { emails: stage.alarms.emails });
    for (const alarm of ALARMS.filter((each) => isPossible(stage, each))) {
      const action = new SnsAction(topics.get(alarm.severity)!);
      const made = makeAlarm(this, alarm, monitored, stage.alarms.runbookUrl);
      made.addAlarmAction(action);
      made.addOkAction(action);
    }
    if (stage.name !== 'emulator') this.addUnknownToEmulator(stage, topics.get('warning')!);
    // The dashboard costs three dollars a month, so only prod has it. In other stages an operator opens the metrics in
    // CloudWatch.
    if (stage.name === 'prod') makeDashboard(this, monitored);
  }

  /** Adds resources that the emulator of the deploy's test refuses. */
  private addUnknownToEmulator({ name, budget }: Stage, topic: Topic): void {
    countGatewayThrottles(this, name);
    if (budget !== null) makeBudget(this, { stage: name, dollarsAMonth: budget.dollarsAMonth, topic });
  }
}
