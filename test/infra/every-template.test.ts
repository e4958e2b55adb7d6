/**
 * Rules for every template of every stage, for what an emulator does not refuse: names that are unique in a whole
 * account, retained resources, log groups, and failed firings and messages.
 */
import { describe, expect, it } from 'vitest';
import { ALARMS } from '#infra/monitoring/alarms.ts';
import { parseStage, stageNamed } from '#infra/stages.ts';
import { emulatorStage } from '#tools/verify/emulator-stage.ts';
import { everyTemplateOf, type Json, STAGE_NAMES } from './synthesized.ts';

/** `prod` with each setting that adds resources. */
const FULL_PROD = parseStage({
  ...structuredClone(stageNamed('prod')),
  tableGeneration: 2,
  domain: {
    name: 'data.example.cl',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-1111-4111-8111-111111111111',
  },
  alarms: { emails: { critical: 'a@example.com', warning: 'b@example.com' }, runbookUrl: 'docs/runbook.md' },
});

const TEMPLATES = [
  ...STAGE_NAMES.map((stage) => [stage, everyTemplateOf(stage, false)] as const),
  ['dev with a sandbox', everyTemplateOf('dev', true)] as const,
  ['prod with every setting', everyTemplateOf(FULL_PROD, false)] as const,
  ['emulator', everyTemplateOf(emulatorStage({}), true)] as const,
];

/** Services whose names are unique in an account and not only in a region (AWS's documents). */
const GLOBAL = /^AWS::(?:Budgets|CloudFront|IAM|Route53)::|^AWS::S3::Bucket$|^AWS::CloudWatch::Dashboard$/;
const NAME = /^(?:|Bucket|Budget|Dashboard|Group|InstanceProfile|ManagedPolicy|Role|User)Name$/;

interface Named {
  id: string;
  name: Json;
}

/** Names in the properties of the resource itself and in the object that holds its configuration. */
const namesOf = (id: string, properties: Record<string, Json>): Named[] =>
  Object.entries(properties).flatMap(([key, value]) => {
    if (NAME.test(key)) return [{ id, name: value }];
    const isConfiguration = /Config$|^Budget$/.test(key) && typeof value === 'object';
    return isConfiguration ? namesOf(id, value) : [];
  });

describe.each(TEMPLATES)('stage %s', (_, templates) => {
  const resources = [...templates].flatMap(([stack, { Resources }]) =>
    Object.entries(Resources).map(([id, resource]) => ({
      id: `${stack}/${id}`,
      type: resource.Type,
      properties: resource.Properties ?? {},
      policies: [resource.DeletionPolicy, resource.UpdateReplacePolicy],
    })),
  );
  const ofType = (pattern: RegExp) => resources.filter(({ type }) => pattern.test(type));

  it('has the region in every name that is unique in the account', () => {
    const named = ofType(GLOBAL).flatMap(({ id, properties }) => namesOf(id, properties));
    const withoutRegion = named.filter(({ name }) => !JSON.stringify(name).includes('{"Ref":"AWS::Region"}'));
    expect(withoutRegion).toEqual([]);
    const hasPage = [...templates.keys()].some((stack) => stack.endsWith('-web'));
    // Two functions, the policy of headers and the access to the bucket.
    expect(named.length).toBeGreaterThanOrEqual(hasPage ? 4 : 0);
  });

  it('retains no resource of a creation that failed', () => {
    expect(resources.filter(({ policies: [onDelete] }) => onDelete === 'Retain').map(({ id }) => id)).toEqual([]);
    for (const { id, policies } of resources)
      if (policies[0] === 'RetainExceptOnCreate') expect(policies[1], id).toBe('Retain');
  });

  it('writes the logs of a gateway where they need no line in the account’s log policy', () => {
    const groups = ofType(/^AWS::Logs::LogGroup$/);
    for (const { id, properties } of ofType(/^AWS::ApiGatewayV2::Stage$/)) {
      const destination = JSON.stringify(properties.AccessLogSettings.DestinationArn);
      const group = groups.find((each) => destination.includes(each.id.split('/')[1]!))!;
      expect(group.properties.LogGroupName, id).toMatch(/^\/aws\/vendedlogs\/data-connections-/);
    }
  });

  it('writes the log of the distribution under the same beginning', () => {
    const groups = ofType(/^AWS::Logs::LogGroup$/).map(({ properties }) => properties.LogGroupName);
    const edge = groups.filter((name) => /-edge$/.test(String(name)));
    expect(edge).toHaveLength(ofType(/^AWS::Logs::Delivery$/).length);
    for (const name of edge) expect(name).toMatch(/^\/aws\/vendedlogs\/data-connections-/);
  });

  it('ends every log after a time', () => {
    for (const { id, properties } of ofType(/^AWS::Logs::LogGroup$/))
      expect(properties.RetentionInDays, id).toBeGreaterThan(0);
  });

  it('has dead letters for each schedule, except the sweeper’s, whose silence rings', () => {
    const sweeper = 'SweepSchedule';
    for (const { id, properties } of ofType(/^AWS::Scheduler::Schedule$/))
      expect(properties.Target.DeadLetterConfig !== undefined, id).toBe(!id.split('/')[1]!.startsWith(sweeper));
    expect(ALARMS.some(({ id, silenceRings }) => id === 'sweeper-silent' && silenceRings)).toBe(true);
  });

  it('has dead letters for each queue, except queues of dead letters', () => {
    for (const { id, properties } of ofType(/^AWS::SQS::Queue$/))
      expect(properties.RedrivePolicy !== undefined, id).toBe(!/-dead-letters$/.test(properties.QueueName));
  });
});
