/**
 * The simulated institutions of a stage: present only if requested, in no stage that customers rely on, and in their
 * own stack.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createApp, stackName } from '#infra/app.ts';
import { baseEnvironment } from '#infra/constructs/base-env.ts';
import { hasPlaceholders, NO_PACE, parseStage, servedBySandbox, stageNamed, withSandbox } from '#infra/stages.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { type Json, sandboxTemplate, templatesOf } from './synthesized.ts';

const dev = () => structuredClone(stageNamed('dev'));
const resources = (type: string): Json[] =>
  Object.values<Json>(sandboxTemplate().Resources).filter((one) => one.Type === type);
const only = (type: string): Json => {
  const found = resources(type);
  expect(found, type).toHaveLength(1);
  return found[0]!.Properties;
};

describe('-c sandbox=true', () => {
  it('is refused for prod and for the local stage, and says why', () => {
    for (const stage of ['prod', 'local'])
      expect(() => createApp({ stage, hasSandbox: true, bundleDir: null })).toThrow(
        `stage ${stage} has no sandbox: leave -c sandbox=true away`,
      );
    expect(() => parseStage({ ...structuredClone(stageNamed('prod')), sandbox: { session: null } })).toThrow(
      'customer data must never come from a simulated institution',
    );
  });

  it('says true or false, and false is as if nothing was said', () => {
    const synth = (said: string): string[] => {
      const before = process.env.CDK_CONTEXT_JSON;
      const outdir = mkdtempSync(join(tmpdir(), 'synth-'));
      process.env.CDK_CONTEXT_JSON = JSON.stringify({ stage: 'dev', sandbox: said, placeholder: 'true' });
      try {
        const { stacks } = createApp({ outdir, isValidated: false }).synth();
        return stacks.map(({ stackName: name }) => name).sort();
      } finally {
        rmSync(outdir, { recursive: true });
        if (before === undefined) delete process.env.CDK_CONTEXT_JSON;
        else process.env.CDK_CONTEXT_JSON = before;
      }
    };
    const without = (['agents', 'api', 'api-control', 'api-data', 'data', 'monitoring', 'sync', 'web'] as const).map(
      (stack) => stackName('dev', stack),
    );
    expect(synth('false')).toEqual(without);
    expect(synth('true')).toEqual([...without, stackName('dev', 'sandbox')].sort());
    expect(() => synth('yes')).toThrow('-c sandbox=yes: say true or false');
    expect([...templatesOf('dev').keys()]).not.toContain('sandbox');
  });

  it('lets an account without an identity provider sign sessions, and one with its own keep it', () => {
    const stage = withSandbox(dev());
    expect(hasPlaceholders(dev())).toBe(true);
    expect(hasPlaceholders(stage)).toBe(false);
    expect(baseEnvironment(stage)).toMatchObject({
      SESSION_ALGORITHM: 'HS256',
      SESSION_SECRET_PARAMETER: '/data-connections/dev/session-secret',
    });
    expect(withSandbox(parseStage({ ...dev(), sandbox: { session: null } })).session).toEqual(dev().session);
    const open = { algorithm: 'HS256', issuer: 'i', audience: 'a', secretParameter: null };
    expect(() => parseStage({ ...dev(), sandbox: { session: open } })).toThrow('needs a parameter name');
  });

  it('sends every source there without pace, but for one that an operator sent elsewhere', () => {
    const elsewhere = { baseUrl: 'https://partner.example.org' };
    const stage = parseStage({
      ...dev(),
      sources: { tax: elsewhere, banktwo: { pace: { callDelayMs: 9, callsMax: 9, windowMs: 9 } } },
    });
    const { sources } = servedBySandbox(stage, 'https://sandbox');
    expect(Object.keys(sources).sort()).toEqual(MANIFESTS.map(({ code }) => code).sort());
    expect(sources.tax).toEqual(elsewhere);
    expect(sources.banktwo).toEqual({ baseUrl: 'https://sandbox/banktwo', pace: NO_PACE });
  });
});

describe('its stack', () => {
  it('is one function, which reads and writes one table and knows nothing else', () => {
    const { Environment, ReservedConcurrentExecutions, Timeout } = only('AWS::Lambda::Function');
    expect(Object.keys(Environment.Variables).sort()).toEqual(['STAGE', 'TABLE_NAME']);
    expect(ReservedConcurrentExecutions).toBeUndefined();
    expect(Timeout).toBeLessThan(30);
    const { Policies, ManagedPolicyArns } = only('AWS::IAM::Role');
    expect(ManagedPolicyArns).toBeUndefined();
    const [table] = Object.entries<Json>(sandboxTemplate().Resources).find(
      ([, { Type }]) => Type === 'AWS::DynamoDB::Table',
    )!;
    const statements = Policies.flatMap((policy: Json) => policy.PolicyDocument.Statement);
    const beyond = statements.filter(({ Action }: Json) => !/^(?:logs|xray):/.test([Action].flat()[0]));
    expect(beyond).toEqual([
      { Action: ['dynamodb:GetItem', 'dynamodb:PutItem'], Effect: 'Allow', Resource: { 'Fn::GetAtt': [table, 'Arn'] } },
    ]);
  });

  it('takes nothing from the other stacks, and forgets', () => {
    expect(JSON.stringify(sandboxTemplate())).not.toContain('Fn::ImportValue');
    const { TimeToLiveSpecification, PointInTimeRecoverySpecification } = only('AWS::DynamoDB::Table');
    expect(TimeToLiveSpecification).toEqual({ AttributeName: 'expires_at_epoch', Enabled: true });
    expect(PointInTimeRecoverySpecification).toBeUndefined();
  });

  it('is throttled, and no request reaches it but below the code of a source', () => {
    expect(only('AWS::ApiGatewayV2::Stage').DefaultRouteSettings).toEqual({
      ThrottlingBurstLimit: 200,
      ThrottlingRateLimit: 100,
    });
    expect(resources('AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties.RouteKey)).toEqual([
      'GET /{institution}/{proxy+}',
      'POST /{institution}/{proxy+}',
    ]);
  });
});
