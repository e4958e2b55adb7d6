/** The budget of a stage: what it counts, and whom it warns. */
import { describe, expect, it } from 'vitest';
import { stackName } from '#infra/app.ts';
import { parseStage, stageNamed } from '#infra/stages.ts';
import { type Json, ofType, stackOf } from './synthesized.ts';

describe('the budget', () => {
  const budgets = (options: Parameters<typeof stackOf>[0], stage: string): Json[] =>
    Object.values<Json>(stackOf(options, stackName(stage, 'monitoring')).template.Resources).filter(
      ({ Type }) => Type === 'AWS::Budgets::Budget',
    );

  it('counts what has the stage’s tag, and warns by the topic of warnings when it is spent or will be', () => {
    const [budget, ...more] = budgets({ stage: 'prod' }, 'prod');
    expect(more).toEqual([]);
    const { Budget, NotificationsWithSubscribers: warnings } = budget.Properties;
    expect(Budget).toMatchObject({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: stageNamed('prod').budget!.dollarsAMonth, Unit: 'USD' },
      CostFilters: { TagKeyValue: ['user:stage$prod'] },
    });
    expect(warnings.map(({ Notification }: Json) => Notification)).toEqual(
      ['ACTUAL', 'FORECASTED'].map((NotificationType) => ({
        NotificationType,
        ComparisonOperator: 'GREATER_THAN',
        Threshold: 100,
      })),
    );
    const [topic] = ofType('prod', 'AWS::SNS::Topic').filter(({ logicalId }) => logicalId.startsWith('TopicsWarning'));
    const subscribers = [{ SubscriptionType: 'SNS', Address: { Ref: topic!.logicalId } }];
    for (const { Subscribers } of warnings) expect(Subscribers).toEqual(subscribers);
    const [policy] = ofType('prod', 'AWS::SNS::TopicPolicy').filter(({ properties }) =>
      JSON.stringify(properties.Topics).includes(topic!.logicalId),
    );
    // The CDK joins the statements of alarms and budgets, which differ only in the service.
    const publish = policy!.properties.PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Allow');
    expect(publish).toMatchObject([
      {
        Action: 'sns:Publish',
        Principal: { Service: ['budgets.amazonaws.com', 'cloudwatch.amazonaws.com'] },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ]);
  });

  it('is not made where the stage names none, and nobody else may then publish', () => {
    const stage = parseStage({ ...structuredClone(stageNamed('dev')), budget: null });
    expect(budgets({ stage }, 'dev')).toEqual([]);
    expect(JSON.stringify(stackOf({ stage }, stackName('dev', 'monitoring')).template)).not.toContain('budgets.');
  });
});
