/** Every alarm exists, notifies the right topic, watches an existing resource, and has its section in the runbook. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stackName } from '#infra/app.ts';
import { DEAD_LETTERS, SCOPE_QUEUES, WORKER_FUNCTIONS } from '#infra/manifest.ts';
import { type Alarm, SEVERITIES } from '#infra/monitoring/alarm.ts';
import { ALARMS } from '#infra/monitoring/alarms.ts';
import { watchedMetric } from '#infra/monitoring/watched-metric.ts';
import { describeAlarm } from '#infra/stacks/monitoring-stack.ts';
import { parseStage, stageNamed } from '#infra/stages.ts';
import { METRICS, OVERDUE_KINDS, SCOPE_CAUSES } from '#shared/platform/metric-catalogue.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { imported, type Json, ofType, stackOf } from './synthesized.ts';

const STAGES = ['dev', 'prod'] as const;
const ROOT = join(import.meta.dirname, '..', '..');

const made = (stage: string): Map<string, Json> =>
  new Map(ofType(stage, 'AWS::CloudWatch::Alarm').map(({ properties }) => [properties.AlarmDescription, properties]));

const propertiesOf = (stage: string, alarm: Alarm): Json => {
  const found = made(stage).get(describeAlarm(alarm, 'docs/runbook.md'));
  if (found === undefined) throw new Error(`no alarm for ${alarm.id}`);
  return found;
};

/** The queue that a dimension names. */
const queueOf = (properties: Json): string =>
  properties.Dimensions.find(({ Name }: Json) => Name === 'QueueName').Value;

describe.each(STAGES)('alarms of stage %s', (stage) => {
  it('are those of the list, each once', () => {
    expect(new Set(ALARMS.map(({ id }) => id)).size).toBe(ALARMS.length);
    expect(ofType(stage, 'AWS::CloudWatch::Alarm')).toHaveLength(ALARMS.length);
    expect(made(stage).size).toBe(ALARMS.length);
  });

  it('watch the dead letters of every queue, those of all scopes once', () => {
    const deadLetters = ofType(stage, 'AWS::SQS::Queue').filter(({ properties }) => !properties.RedrivePolicy);
    const watched = ALARMS.filter(({ watched: { of } }) => of === 'dead-letters').map((alarm) => {
      const properties = propertiesOf(stage, alarm);
      expect(properties).toMatchObject({
        Namespace: 'AWS/SQS',
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Statistic: 'Maximum',
        Threshold: 1,
        EvaluationPeriods: 1,
      });
      return queueOf(properties);
    });
    expect(watched).toHaveLength(DEAD_LETTERS.length);
    expect(watched.sort()).toEqual(deadLetters.map(({ properties }) => properties.QueueName).sort());
  });

  it('notify the topic of their severity at their beginning and end', () => {
    const topics = ofType(stage, 'AWS::SNS::Topic').map(({ logicalId }) => logicalId);
    expect(topics).toHaveLength(SEVERITIES.length);
    for (const alarm of ALARMS) {
      const topic = topics.find((logicalId) => logicalId.toLowerCase().includes(alarm.severity));
      const { AlarmActions, OKActions } = propertiesOf(stage, alarm);
      expect(AlarmActions, alarm.id).toEqual([{ Ref: topic }]);
      expect(OKActions, alarm.id).toEqual([{ Ref: topic }]);
    }
  });

  it('may publish, over TLS, only from this account', () => {
    for (const { properties } of ofType(stage, 'AWS::SNS::TopicPolicy')) {
      const allowed = properties.PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Allow');
      expect(allowed).toMatchObject([
        { Action: 'sns:Publish', Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } } },
      ]);
      expect([allowed[0].Principal.Service].flat()).toContain('cloudwatch.amazonaws.com');
      expect(JSON.stringify(properties.PolicyDocument)).toContain('aws:SecureTransport');
    }
  });

  it('ring when nobody sweeps, and are silent when nothing happens', () => {
    for (const alarm of ALARMS) {
      const { TreatMissingData, ComparisonOperator } = propertiesOf(stage, alarm);
      expect(TreatMissingData, alarm.id).toBe(alarm.id === 'sweeper-silent' ? 'breaching' : 'notBreaching');
      expect(ComparisonOperator.startsWith('LessThan'), alarm.id).toBe(alarm.id === 'sweeper-silent');
    }
  });

  it('watch metrics of this stage, by the namespace that its functions write to', () => {
    for (const alarm of ALARMS.filter(({ watched: { of } }) => of === 'service'))
      expect(propertiesOf(stage, alarm).Namespace).toBe(`data-connections/${stage}`);
  });
});

it('watches no missing dead letters: a scope has no own ones', () => {
  const dev = { stage: 'dev', apiId: 'api', table: 'table', scheduleGroup: 'group' };
  const watch = (queue: string) => watchedMetric(dev, { of: 'dead-letters', queue }, 5);
  for (const queue of DEAD_LETTERS) expect(() => watch(queue)).not.toThrow();
  for (const queue of [...SCOPE_QUEUES, 'moon']) expect(() => watch(queue)).toThrow(`no dead letters of "${queue}"`);
});

it('shows each queue of dead letters once', () => {
  const [dashboard] = ofType('prod', 'AWS::CloudWatch::Dashboard');
  const body = JSON.stringify(dashboard!.properties.DashboardBody);
  const shown = [...body.matchAll(/data-connections-prod-([\w-]+)-dead-letters/g)].map(([, queue]) => queue!);
  expect(shown.sort()).toEqual([...DEAD_LETTERS].sort());
});

it('shows every metric of prod on its dashboard, and makes no other stage pay for one', () => {
  const [dashboard, ...more] = ofType('prod', 'AWS::CloudWatch::Dashboard');
  expect([more, ofType('dev', 'AWS::CloudWatch::Dashboard')]).toEqual([[], []]);
  const body = JSON.stringify(dashboard!.properties.DashboardBody);
  for (const name of Object.keys(METRICS)) expect(body, name).toContain(`MetricName=\\\\\\"${name}\\\\\\"`);
  expect(body).toContain('data-connections/prod');
});

it.each(STAGES)('rings in stage %s as soon as Lambda drops one invocation of a chain', (stage) => {
  const alarm = ALARMS.find(({ id }) => id === 'dropped-recursions')!;
  const { Namespace, MetricName, Statistic, Threshold, EvaluationPeriods, Dimensions } = propertiesOf(stage, alarm);
  expect([Namespace, MetricName, Statistic, Threshold, EvaluationPeriods, Dimensions]).toEqual([
    'AWS/Lambda',
    'RecursiveInvocationsDropped',
    'Sum',
    1,
    1,
    undefined,
  ]);
});

it.each(STAGES)('rings in stage %s when Scheduler gives up one firing of the connections’ schedules', (stage) => {
  const { Namespace, MetricName, Threshold, Dimensions } = propertiesOf(
    stage,
    ALARMS.find(({ id }) => id === 'dropped-firings')!,
  );
  expect([Namespace, MetricName, Threshold]).toEqual(['AWS/Scheduler', 'InvocationDroppedCount', 1]);
  const [group] = ofType(stage, 'AWS::Scheduler::ScheduleGroup');
  expect(Dimensions).toEqual([{ Name: 'ScheduleGroup', Value: expect.anything() }]);
  expect(imported(stage, Dimensions[0].Value)).toEqual({ Ref: group!.logicalId });
});

it.each(STAGES)('counts in the access log of stage %s the gateway’s own refusals, and not our own 429', (stage) => {
  const filters = ofType(stage, 'AWS::Logs::MetricFilter').map(({ properties }) => properties);
  expect(filters).toHaveLength(1);
  const { FilterPattern, LogGroupName, MetricTransformations } = filters[0]!;
  const format = JSON.parse(ofType(stage, 'AWS::ApiGatewayV2::Stage')[0]!.properties.AccessLogSettings.Format);
  const names = [...FilterPattern.matchAll(/\$\.(\w+) = "([^"]+)"/g)].map(([, name, value]: Json) => [name, value]);
  expect(names).toEqual([
    ['status', '429'],
    ['integration_status', '-'],
  ]);
  for (const [name] of names) expect(format).toHaveProperty(name);
  expect(LogGroupName).toBe(`/aws/vendedlogs/data-connections-${stage}-api`);
  const alarm = ALARMS.find(({ watched }) => watched.of === 'gateway-throttles')!;
  const { Namespace, MetricName } = propertiesOf(stage, alarm);
  expect(MetricTransformations).toMatchObject([{ MetricNamespace: Namespace, MetricName, MetricValue: '1' }]);
});

/** Every value that a function may write. */
const VALUES: Record<string, readonly string[]> = {
  kind: OVERDUE_KINDS,
  cause: SCOPE_CAUSES,
  source: MANIFESTS.map(({ code }) => code),
  worker: WORKER_FUNCTIONS.map(({ contract }) => contract.id),
};

it('what is watched of our own metrics is what the catalogue declares', () => {
  for (const { id, watched } of ALARMS) {
    if (watched.of !== 'service') continue;
    expect(Object.keys(watched.dimensions).sort(), id).toEqual([...METRICS[watched.metric].dimensions].sort());
    for (const [name, value] of Object.entries(watched.dimensions)) expect(VALUES[name], id).toContain(value);
  }
});

it.each([
  ['prod', { critical: null, warning: null }, ['critical', 'warning']],
  ['prod', { critical: 'a@example.com', warning: null }, ['warning']],
  ['prod', { critical: 'a@example.com', warning: 'b@example.com' }, []],
  ['dev', { critical: null, warning: null }, []],
])('warns at synth of stage %s when nobody is notified: %j', (name, emails, unheard) => {
  const stage = parseStage({ ...structuredClone(stageNamed(name)), alarms: { emails, runbookUrl: 'r' } });
  const { messages } = stackOf({ stage }, stackName(name, 'monitoring'));
  const warned = messages.filter(({ level }) => level === 'warning').map(({ text }) => text);
  expect(warned).toHaveLength(unheard.length);
  for (const [at, severity] of unheard.entries()) expect(warned[at]).toContain(`severity ${severity}`);
});

it('sends an e-mail to whom the stage names, and to nobody else', () => {
  const alarms = { emails: { critical: 'oncall@example.com', warning: null }, runbookUrl: 'https://example.com/r' };
  const stage = parseStage({ ...structuredClone(stageNamed('dev')), alarms });
  const { template } = stackOf({ stage }, stackName('dev', 'monitoring'));
  const resources = Object.values<Json>(template.Resources);
  const subscriptions = resources.filter(({ Type }) => Type === 'AWS::SNS::Subscription');
  expect(subscriptions.map(({ Properties }) => Properties)).toMatchObject([
    { Protocol: 'email', Endpoint: 'oncall@example.com', TopicArn: { Ref: expect.stringContaining('Critical') } },
  ]);
  const described = resources.flatMap(({ Properties }) => Properties?.AlarmDescription ?? []);
  expect(described).toHaveLength(ALARMS.length);
  for (const text of described) expect(text).toMatch(/^\[(critical|warning)\] .+ Runbook: https:\/\/example\.com\/r#/);
});

describe('the runbook', () => {
  const page = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
  const [, alarmPart = ''] = page.split(/^## Alarms$/m);
  const sections = new Map(
    alarmPart
      .split(/^## /m)[0]!
      .split(/^### /m)
      .slice(1)
      .map((text): [string, string] => [text.split('\n')[0]!.trim(), text]),
  );

  it('has a section for every alarm, and none for an unknown alarm', () => {
    expect([...sections.keys()].sort()).toEqual([...new Set(ALARMS.map(({ section }) => section))].sort());
  });

  it('is linked by headings that are their own anchors', () => {
    for (const heading of sections.keys()) expect(heading).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  it('says of each what it means, where to look, how to fix it', () => {
    for (const [heading, text] of sections) {
      const parts = [...text.matchAll(/^\*\*(Meaning|Look|Mend)\.\*\* (.+)/gm)];
      expect(
        parts.map(([, name]) => name),
        heading,
      ).toEqual(['Meaning', 'Look', 'Mend']);
      for (const [, name, said] of parts) expect(said!.length, `${heading} ${name}`).toBeGreaterThan(40);
    }
  });

  it('names only files, lines of the log and sections that exist', () => {
    const paths = [...page.matchAll(/`((?:infra|shared|functions)\/[\w./-]+\.ts)`/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const anchors = new Set([...page.matchAll(/^##+ (.+)$/gm)].map(([, heading]) => slug(heading!)));
    for (const [, anchor] of page.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(anchor);
    const code = globSync('{shared,functions}/**/*.ts', { cwd: ROOT })
      .map((path) => readFileSync(join(ROOT, path), 'utf8'))
      .join('\n');
    const messages = [...page.matchAll(/message = "([^"]+)"/g)].map(([, message]) => message!);
    expect(messages.length).toBeGreaterThan(4);
    expect(messages.filter((message) => !code.includes(`'${message}'`))).toEqual([]);
  });
});

/** The anchor that GitHub makes from a heading. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
