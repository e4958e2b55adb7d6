/** The monthly budget of a stage. A warning is sent when the stage has spent it, or will by the forecast. */
import { Aws } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { SERVICE } from '#shared/platform/metric-catalogue.ts';

interface BudgetSettings {
  stage: string;
  dollarsAMonth: number;
  topic: Topic;
}

/** Share of the budget, in percent, at which a warning is sent. */
const FULL = 100;

export const makeBudget = (scope: Construct, { stage, dollarsAMonth, topic }: BudgetSettings): void => {
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('budgets.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetName: `${SERVICE}-${stage}-${Aws.REGION}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: dollarsAMonth, unit: 'USD' },
      // Every resource has this tag. The account's owner must activate the tag for costs once (docs/deploying.md).
      costFilters: { TagKeyValue: [`user:stage$${stage}`] },
    },
    notificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
      notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: FULL },
      subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
    })),
  });
};
