/** SNS topics for alarms: one topic per severity, so that only critical alarms wake somebody. */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { pascal } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';
import { SEVERITIES, type Severity } from './alarm.ts';

export class AlarmTopics extends Construct {
  readonly topics: ReadonlyMap<Severity, Topic>;

  constructor(scope: Construct, id: string, { emails }: { emails: Stage['alarms']['emails'] }) {
    super(scope, id);
    this.topics = new Map(
      SEVERITIES.map((severity) => {
        // The topic is not encrypted with a key, because a message contains only the alarm and a number. With
        // encryption, CloudWatch would need a permission on the key.
        const topic = new Topic(this, pascal(severity), { enforceSSL: true });
        // The default policy lets the account's alarms publish, but a custom policy replaces the default policy. This
        // statement therefore permits alarms to publish.
        topic.addToResourcePolicy(
          new PolicyStatement({
            principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
            actions: ['sns:Publish'],
            resources: [topic.topicArn],
            conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
          }),
        );
        const email = emails[severity];
        if (email !== null) topic.addSubscription(new EmailSubscription(email));
        return [severity, topic];
      }),
    );
  }
}
