/** The dashboard's stack: a private bucket that CloudFront alone reads, the API on the same origin, a strict policy. */
import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { createApp, stackName } from '#infra/app.ts';
import { WebStack } from '#infra/stacks/web-stack.ts';
import { parseStage, stageNamed, withSandbox } from '#infra/stages.ts';
import { emulatorStage } from '#infra/verify/emulator-stage.ts';
import { signInConfig } from '#infra/web/sign-in-config.ts';

const templateOf = (stage = stageNamed('prod')): Template =>
  Template.fromStack(new WebStack(new App(), 'web', { stage, apiId: 'abc123', webDir: null }));

const template = templateOf();

// biome-ignore lint/suspicious/noExplicitAny: a template is arbitrary JSON.
const only = (type: string): any => {
  const found = Object.values(template.findResources(type));
  expect(found).toHaveLength(1);
  return found[0]?.Properties;
};

describe('web stack', () => {
  it('lets nobody but CloudFront read the files', () => {
    expect(only('AWS::S3::Bucket').PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    const { Statement } = only('AWS::S3::BucketPolicy').PolicyDocument;
    const allowed = Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Allow');
    expect(allowed).toEqual([
      expect.objectContaining({
        Action: 's3:GetObject',
        Principal: { Service: 'cloudfront.amazonaws.com' },
        Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
      }),
    ]);
  });

  it('sends the API’s paths to the API, uncached, with every method and header but the host', () => {
    const { CacheBehaviors, Origins } = only('AWS::CloudFront::Distribution').DistributionConfig;
    expect(CacheBehaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern)).toEqual([
      '/api/*',
      '/session',
      '/docs*',
    ]);
    for (const behavior of CacheBehaviors) {
      expect(behavior.AllowedMethods).toContain('DELETE');
      expect(behavior.CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
      expect(behavior.OriginRequestPolicyId).toBe('b689b0a8-53d0-40ab-baf2-68738e2966ac');
      expect(behavior.ViewerProtocolPolicy).toBe('https-only');
    }
    expect(JSON.stringify(Origins)).toContain('abc123.execute-api.');
  });

  it('allows no script, style or request from elsewhere but the issuer', () => {
    const { SecurityHeadersConfig: headers } = only(
      'AWS::CloudFront::ResponseHeadersPolicy',
    ).ResponseHeadersPolicyConfig;
    const policy: string = headers.ContentSecurityPolicy.ContentSecurityPolicy;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("connect-src 'self' https://auth.example.com;");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(headers.StrictTransportSecurity.Override).toBe(true);
  });

  it('serves a domain of its own where the stage has one, and refuses a certificate of another region', () => {
    const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-1111-4111-8111-111111111111';
    const stage = { ...stageNamed('prod'), domain: { name: 'app.example.cl', certificateArn } };
    templateOf(parseStage(stage)).hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({ Aliases: ['app.example.cl'] }),
    });
    const elsewhere = { name: 'app.example.cl', certificateArn: certificateArn.replace('us-east-1', 'sa-east-1') };
    expect(() => parseStage({ ...stage, domain: elsewhere })).toThrow('domain.certificateArn');
  });

  it('needs a way to sign in', () => {
    expect(() => parseStage({ ...stageNamed('prod'), signIn: null })).toThrow('nobody could sign in at the dashboard');
  });

  it('asks for a session where an operator makes them, for want of an identity provider', () => {
    expect(signInConfig(stageNamed('dev'))).toMatchObject({ sign_in: { kind: 'openid' } });
    expect(signInConfig(withSandbox(stageNamed('dev')))).toEqual({ sign_in: { kind: 'token' } });
    const ownIssuer = { ...stageNamed('dev'), sandbox: { session: null } };
    expect(signInConfig(withSandbox(ownIssuer))).toMatchObject({ sign_in: { kind: 'openid' } });
  });

  it.each([
    ['prod', true],
    ['dev', true],
    ['local', false],
    ['emulator', false],
  ])('is part of stage %s: %s', (name, isPart) => {
    const stage = name === 'emulator' ? emulatorStage({}) : stageNamed(name);
    const app = createApp({ stage, bundleDir: null, isValidated: false });
    expect(app.node.tryFindChild(stackName(name, 'web')) !== undefined).toBe(isPart);
  });
});
