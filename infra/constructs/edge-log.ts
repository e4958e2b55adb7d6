/**
 * The access log of a CloudFront distribution, for finding the address of a caller: API Gateway sees only CloudFront's
 * addresses. CloudFront's logging version 2 writes only the chosen fields, so that no sign-in code of a query string and
 * no cookie is stored.
 */
import { Aws, CfnCondition, Fn, RemovalPolicy } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { accessLogName } from '#infra/names.ts';

/** Region in which CloudFront's logs are configured. A stage elsewhere has no such log (AWS's documents). */
const HOME = 'us-east-1';

const FIELDS = [
  'date',
  'time',
  'c-ip',
  'cs-method',
  'x-host-header',
  'cs-uri-stem',
  'sc-status',
  'sc-bytes',
  'time-taken',
  'cs(User-Agent)',
  'x-edge-result-type',
  'x-edge-request-id',
];

export class EdgeLog extends Construct {
  constructor(scope: Construct, id: string, { stage, distribution }: { stage: string; distribution: Distribution }) {
    super(scope, id);
    const condition = new CfnCondition(this, 'IsHome', { expression: Fn.conditionEquals(Aws.REGION, HOME) });
    const group = new LogGroup(this, 'Requests', {
      logGroupName: accessLogName(stage, 'edge'),
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const name = `data-connections-${stage}-edge`;
    const source = new CfnDeliverySource(this, 'Source', {
      name,
      logType: 'ACCESS_LOGS',
      resourceArn: distribution.distributionArn,
    });
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name,
      destinationResourceArn: group.logGroupArn,
      outputFormat: 'json',
    });
    const delivery = new CfnDelivery(this, 'Delivery', {
      deliverySourceName: source.ref,
      deliveryDestinationArn: destination.attrArn,
      recordFields: FIELDS,
    });
    for (const each of [source, destination, delivery]) each.cfnOptions.condition = condition;
  }
}
