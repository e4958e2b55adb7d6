/** The access log of the distribution, by which the address of a caller can be found. */
import { expect, it } from 'vitest';
import { stackName } from '#infra/app.ts';
import { type Json, stackOf } from './synthesized.ts';

const { Resources, Conditions } = stackOf({ stage: 'prod' }, stackName('prod', 'web')).template as Json;

const resources = (type: string): Record<string, Json> =>
  Object.fromEntries(Object.entries<Json>(Resources).filter(([, { Type }]) => Type === type));

const only = (type: string): Json => {
  const found = Object.values(resources(type));
  expect(found).toHaveLength(1);
  return found[0].Properties;
};

it('logs who called for 30 days where CloudFront’s logs are configured, without query strings and cookies', () => {
  const { DestinationResourceArn, OutputFormat } = only('AWS::Logs::DeliveryDestination');
  const [group] = Object.entries(resources('AWS::Logs::LogGroup')).filter(
    ([, { Properties }]) => Properties.LogGroupName === '/aws/vendedlogs/data-connections-prod-edge',
  );
  expect(group![1].Properties.RetentionInDays).toBe(30);
  expect([DestinationResourceArn, OutputFormat]).toEqual([{ 'Fn::GetAtt': [group![0], 'Arn'] }, 'json']);
  const { RecordFields } = only('AWS::Logs::Delivery');
  expect(RecordFields).toEqual(expect.arrayContaining(['date', 'time', 'c-ip', 'cs-uri-stem', 'sc-status']));
  expect(RecordFields.filter((field: string) => /query|cookie|referer/i.test(field))).toEqual([]);
  const { LogType, ResourceArn } = only('AWS::Logs::DeliverySource');
  const [distribution] = Object.keys(resources('AWS::CloudFront::Distribution'));
  expect([LogType, JSON.stringify(ResourceArn)]).toEqual([
    'ACCESS_LOGS',
    expect.stringContaining(`{"Ref":"${distribution}"}`),
  ]);
  for (const type of ['Delivery', 'DeliverySource', 'DeliveryDestination'])
    for (const { Condition } of Object.values(resources(`AWS::Logs::${type}`)))
      expect(Conditions[Condition]).toEqual({ 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'] });
});
