import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createApp, stackName } from '#infra/app.ts';
import { chooseConcurrency } from '#infra/concurrency.ts';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import {
  DEAD_LETTERS,
  ENDPOINT_FUNCTIONS,
  FUNCTIONS,
  listRoutes,
  NOT_FOUND_ID,
  PROTOCOL_FUNCTIONS,
  QUEUE_CONSUMERS,
  SCOPE_QUEUES,
  WORKER_FUNCTIONS,
} from '#infra/manifest.ts';
import { stageNamed } from '#infra/stages.ts';
import { IS_WHOLE } from '#test/helpers/effort.ts';
import {
  everyTemplateOf,
  functionResource,
  type Json,
  ofType,
  resourcesOf,
  STACKS,
  STAGE_NAMES,
  sandboxTemplate,
  templatesOf,
  webTemplate,
} from './synthesized.ts';

/**
 * A physical name in a template prevents a second deploy of the stack, and the replacement of the resource. Only these
 * resources have one, derived from the stage's name, so that other stacks know them without an export (docs/adr/0023).
 */
const namedOf = (stage: string): string[] => [
  `AWS::DynamoDB::Table data-connections-${stage}-table-1`,
  ...[...QUEUE_CONSUMERS.map(({ queue }) => queue), ...DEAD_LETTERS.map((queue) => `${queue}-dead-letters`)].map(
    (queue) => `AWS::SQS::Queue data-connections-${stage}-${queue}`,
  ),
  `AWS::Logs::LogGroup /aws/vendedlogs/data-connections-${stage}-api`,
];

const ROUTED = [...ENDPOINT_FUNCTIONS, ...PROTOCOL_FUNCTIONS];

const NAME_PROPERTIES: Record<string, readonly string[]> = {
  'AWS::DynamoDB::Table': ['TableName'],
  'AWS::IAM::Role': ['RoleName'],
  'AWS::KMS::Alias': ['AliasName'],
  'AWS::Lambda::Function': ['FunctionName'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::SQS::Queue': ['QueueName'],
  'AWS::Scheduler::Schedule': ['Name'],
  'AWS::Scheduler::ScheduleGroup': ['Name'],
};

/**
 * CloudFormation allows 500 (architecture.md §7.4); the rest is reserved for a fix that cannot wait for a new stack.
 */
const RESOURCES_MAX = 400;

const routeTargets = (stage: string): Map<string, string> => {
  const integrations = new Map(
    ofType(stage, 'AWS::ApiGatewayV2::Integration').map(({ logicalId, properties }) => [
      logicalId,
      properties.IntegrationUri['Fn::GetAtt'][0] as string,
    ]),
  );
  return new Map(
    ofType(stage, 'AWS::ApiGatewayV2::Route').map(({ properties }) => {
      const target = properties.Target['Fn::Join'][1].find((part: Json) => part.Ref !== undefined).Ref;
      return [properties.RouteKey as string, integrations.get(target)!];
    }),
  );
};

describe.each(STAGE_NAMES)('wiring of stage %s', (stage) => {
  it('routes every endpoint to its own function, and nothing else', () => {
    const expected = ROUTED.flatMap((fn) =>
      listRoutes(fn).map(({ method, path }): [string, string] => [
        fn.functionId === NOT_FOUND_ID ? '$default' : `${method} ${path}`,
        functionResource(stage, fn.functionId).logicalId,
      ]),
    );
    expect(new Map([...routeTargets(stage)].sort())).toEqual(new Map(expected.sort()));
  });

  it('lets only the gateway call the functions of endpoints', () => {
    const allowed = ofType(stage, 'AWS::Lambda::Permission').map(({ properties }) => {
      expect(properties).toMatchObject({ Principal: 'apigateway.amazonaws.com', SourceArn: expect.anything() });
      return properties.FunctionName['Fn::GetAtt'][0];
    });
    const called = ROUTED.flatMap((fn) => listRoutes(fn).map(() => functionResource(stage, fn.functionId).logicalId));
    expect(allowed.sort()).toEqual(called.sort());
  });

  it.each(WORKER_FUNCTIONS)('triggers worker $functionId', ({ functionId, trigger }) => {
    const { logicalId } = functionResource(stage, functionId);
    const mappings = ofType(stage, 'AWS::Lambda::EventSourceMapping').filter(
      ({ properties }) => properties.FunctionName.Ref === logicalId,
    );
    const schedules = ofType(stage, 'AWS::Scheduler::Schedule').filter(
      ({ properties }) => properties.Target.Arn['Fn::GetAtt'][0] === logicalId,
    );
    if ('schedule' in trigger) {
      expect(mappings).toEqual([]);
      expect(schedules.map(({ properties }) => properties.ScheduleExpression)).toEqual([trigger.schedule]);
      return;
    }
    expect(schedules).toEqual([]);
    const windowSeconds = stage === 'local' ? undefined : trigger.windowSeconds;
    expect(mappings.map(({ properties }) => ({ MaximumBatchingWindowInSeconds: undefined, ...properties }))).toEqual([
      expect.objectContaining({
        BatchSize: trigger.batchSize,
        MaximumBatchingWindowInSeconds: windowSeconds,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: chooseConcurrency(trigger.queue, stageNamed(stage)) },
      }),
    ]);
  });

  it('lets Lambda take no chain of messages for a loop: exactly what a queue calls is exempt', () => {
    const called = ofType(stage, 'AWS::Lambda::EventSourceMapping').map(
      ({ properties }) => properties.FunctionName.Ref,
    );
    const exempt = ofType(stage, 'AWS::Lambda::Function').filter(({ properties }) => 'RecursiveLoop' in properties);
    expect(called.length).toBeGreaterThan(0);
    expect(exempt.map(({ logicalId }) => logicalId).sort()).toEqual(called.sort());
    for (const { properties } of exempt) expect(properties.RecursiveLoop).toBe('Allow');
  });

  it('never repeats what the clock calls: neither Scheduler nor Lambda retries a failed call', () => {
    const schedules = ofType(stage, 'AWS::Scheduler::Schedule').map(({ properties }) => properties.Target);
    for (const { RetryPolicy } of schedules)
      expect(RetryPolicy).toEqual({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
    const configs = ofType(stage, 'AWS::Lambda::EventInvokeConfig').map(({ properties }) => properties);
    expect(configs.map(({ FunctionName }) => FunctionName.Ref).sort()).toEqual(
      schedules.map(({ Arn }) => Arn['Fn::GetAtt'][0]).sort(),
    );
    for (const config of configs)
      expect(config).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60, Qualifier: '$LATEST' });
  });

  it('deploys every function of the manifest, each with its own role and log group', () => {
    const functions = ofType(stage, 'AWS::Lambda::Function');
    const emptying = stage === 'prod' || stage === 'local' ? [] : ['empty-bucket'];
    expect(functions.map(({ properties }) => properties.Description).sort()).toEqual(
      [...FUNCTIONS.map(({ functionId }) => functionId), ...emptying].sort(),
    );
    for (const property of ['Role', 'LoggingConfig']) {
      expect(new Set(functions.map((fn) => JSON.stringify(fn.properties[property]))).size).toBe(functions.length);
    }
    // Only workers of scopes report the memory of each invocation.
    const scopes = FUNCTIONS.filter((fn) => fn.kind === 'worker' && fn.variant !== null);
    for (const { properties } of functions) {
      const isScope = scopes.some(({ functionId }) => functionId === properties.Description);
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
      expect(properties.LoggingConfig).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: isScope ? 'INFO' : 'WARN' });
    }
    for (const { properties } of ofType(stage, 'AWS::Logs::LogGroup')) {
      expect(properties.RetentionInDays).toBeGreaterThan(0);
    }
  });

  it('traces every sync, the sweeper never, and all others where the stage says so', () => {
    for (const { functionId, ...fn } of FUNCTIONS) {
      const isSync = fn.kind === 'worker' && fn.variant !== null;
      const isTraced = isSync || (functionId !== 'sweep' && stageNamed(stage).tracesRequests);
      const { TracingConfig } = functionResource(stage, functionId).properties;
      expect(TracingConfig, functionId).toEqual({ Mode: isTraced ? 'Active' : 'PassThrough' });
    }
  });

  it('gives nothing a fixed physical name but the table and the queues, whose names follow from the stage', () => {
    const named = resourcesOf(stage).flatMap(({ type, properties }) =>
      (NAME_PROPERTIES[type] ?? []).filter((name) => name in properties).map((name) => `${type} ${properties[name]}`),
    );
    expect(named.sort()).toEqual(namedOf(stage).sort());
  });

  it('names no queue longer than SQS takes', () => {
    for (const { properties } of ofType(stage, 'AWS::SQS::Queue'))
      expect(properties.QueueName.length).toBeLessThanOrEqual(80);
  });

  it('has a queue with its worker: a scope’s in the sync stack, those of every stage and dead letters next to the table', () => {
    for (const { stack, properties } of ofType(stage, 'AWS::SQS::Queue')) {
      const isOfScope = SCOPE_QUEUES.some((queue) => properties.QueueName.includes(`-${stage}-${queue}`));
      expect(stack, properties.QueueName).toBe(isOfScope ? 'sync' : 'data');
    }
  });

  it('throttles, and logs nothing a credential could be in', () => {
    const stages = ofType(stage, 'AWS::ApiGatewayV2::Stage');
    expect(stages).toHaveLength(1);
    const { properties } = stages[0]!;
    expect(properties.DefaultRouteSettings.ThrottlingRateLimit).toBeGreaterThan(0);
    expect(properties.AccessLogSettings.Format).not.toMatch(/header|query|authorizer|cookie|body/i);
  });
});

it.each([...STAGE_NAMES.map((stage) => [stage, false] as const), ['dev', true] as const])(
  'keeps every stack of stage %s, sandbox %s, below the limit of resources',
  (stage, hasSandbox) => {
    const templates = everyTemplateOf(stage, hasSandbox);
    expect(templates.size).toBeGreaterThanOrEqual(5);
    for (const [stack, { Resources }] of templates)
      expect(Object.keys(Resources).length, stack).toBeLessThanOrEqual(RESOURCES_MAX);
  },
);

it('deploys each endpoint in the stack of its tag, and a tag only in one stack', () => {
  const stacksOf = new Map<string, Set<string>>();
  for (const { stack, properties } of ofType('dev', 'AWS::Lambda::Function')) {
    const endpoint = ENDPOINTS.find(({ id }) => id === properties.Description && id !== NOT_FOUND_ID);
    if (endpoint !== undefined) stacksOf.set(endpoint.tag, (stacksOf.get(endpoint.tag) ?? new Set()).add(stack));
  }
  expect(Object.fromEntries([...stacksOf].map(([tag, stacks]) => [tag, [...stacks].join(' ')]))).toEqual({
    'API keys': 'api-control',
    Applications: 'agents',
    Audit: 'api-control',
    'Bank one': 'api-data',
    'Bank three': 'api-data',
    'Bank two': 'api-data',
    Changes: 'api-data',
    'Connect links': 'agents',
    Connections: 'api-control',
    Coverage: 'api-control',
    'External sources': 'api-control',
    'Public procurement': 'api-data',
    Sync: 'api-control',
    System: 'api-control',
    'Tax authority': 'api-data',
    Webhooks: 'api-control',
  });
});

it('deploys protocol endpoints next to the applications, with few resources', () => {
  const inAgents = ofType('dev', 'AWS::Lambda::Function').filter(({ stack }) => stack === 'agents');
  const ids = inAgents.map(({ properties }) => properties.Description);
  expect(ids).toEqual(expect.arrayContaining(PROTOCOL_FUNCTIONS.map(({ functionId }) => functionId)));
  expect(resourcesOf('dev').filter(({ stack }) => stack === 'agents').length).toBeLessThanOrEqual(120);
});

it('exempts nothing of the other stacks from the cut of loops', () => {
  for (const template of [sandboxTemplate(), webTemplate()])
    expect(JSON.stringify(template.Resources)).not.toContain('RecursiveLoop');
});

it('passes the schemas of CloudFormation and synthesizes the same twice', () => {
  // The validation takes seconds: one stage, once, and only in CI.
  const outdir = mkdtempSync(join(tmpdir(), 'synth-'));
  const assembly = createApp({ stage: 'dev', outdir, bundleDir: null, isValidated: IS_WHOLE }).synth();
  const again = STACKS.map((stack) => [stack, assembly.getStackByName(stackName('dev', stack)).template]);
  rmSync(outdir, { recursive: true });
  expect(again).toEqual([...templatesOf('dev')]);
}, 120_000);

it('has the function that docs/local-stack.md invokes with SAM under the name it says', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/local-stack.md'), 'utf8');
  const { logicalId } = functionResource('dev', 'list-external-sources');
  expect(page.match(/ListExternalSourcesFn\w+/g)).toEqual([logicalId]);
});
