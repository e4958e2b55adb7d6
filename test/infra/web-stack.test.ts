/** The dashboard's stack: a private bucket that only CloudFront reads, the API on the same origin, a strict policy. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { App, AssetStaging } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Publication } from '#functions/publish-dashboard/contract.ts';
import { createApp, stackName } from '#infra/app.ts';
import { WebStack } from '#infra/stacks/web-stack.ts';
import { parseStage, stageNamed, withSandbox } from '#infra/stages.ts';
import { WEB_PUBLIC_DIR } from '#infra/web/build.ts';
import { CACHE } from '#infra/web/page-headers.ts';
import { signInConfig } from '#infra/web/sign-in-config.ts';
import { emulatorStage } from '#tools/verify/emulator-stage.ts';

const templateOf = (stage = stageNamed('prod'), webDir = WEB_PUBLIC_DIR): Template =>
  Template.fromStack(new WebStack(new App(), 'web', { stage, apiId: 'abc123', bundleDir: null, webDir }));

const template = templateOf();

// biome-ignore lint/suspicious/noExplicitAny: a template is arbitrary JSON.
const only = (type: string, of = template): any => {
  const found = Object.values(of.findResources(type));
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

  it('keeps no error, which would be answered to everybody for a while', () => {
    const { CustomErrorResponses } = only('AWS::CloudFront::Distribution').DistributionConfig;
    const codes = [403, 404, 405, 414, 500, 501, 502, 503, 504];
    expect(CustomErrorResponses).toEqual(codes.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })));
  });

  it('sends the API’s paths to the API, uncached, with every method and header but the host', () => {
    const { CacheBehaviors, Origins } = only('AWS::CloudFront::Distribution').DistributionConfig;
    expect(CacheBehaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern)).toEqual([
      '/api/mcp',
      '/api/mcp/',
      '/.well-known/*',
      '/api/*',
      '/session',
      '/connect-session*',
      '/docs*',
      '/llms.txt',
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
    const { SecurityHeadersConfig: headers, CustomHeadersConfig: custom } = only(
      'AWS::CloudFront::ResponseHeadersPolicy',
    ).ResponseHeadersPolicyConfig;
    const more = custom.Items.map((item: { Header: string; Value: string }) => [item.Header, item.Value]);
    expect(Object.fromEntries(more)).toEqual({
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=(), '),
    });
    const policy: string = headers.ContentSecurityPolicy.ContentSecurityPolicy;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("connect-src 'self' https://auth.example.com;");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(headers.StrictTransportSecurity).toMatchObject({
      AccessControlMaxAgeSec: 31_536_000,
      IncludeSubdomains: true,
      Override: true,
    });
  });

  it('also lets the page call the issuer under its other names, where the stage has some', () => {
    const signIn = {
      authority: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_pool',
      clientId: 'client',
      scope: 'openid',
      origins: ['https://people.auth.us-east-1.amazoncognito.com', 'https://cognito-idp.us-east-1.amazonaws.com'],
    };
    const stage = parseStage({ ...stageNamed('prod'), signIn });
    const { SecurityHeadersConfig: headers } = only(
      'AWS::CloudFront::ResponseHeadersPolicy',
      templateOf(stage),
    ).ResponseHeadersPolicyConfig;
    expect(headers.ContentSecurityPolicy.ContentSecurityPolicy).toContain(
      "connect-src 'self' https://cognito-idp.us-east-1.amazonaws.com https://people.auth.us-east-1.amazoncognito.com;",
    );
    // The page gets no more settings than the library needs.
    expect(signInConfig(stage).sign_in).not.toHaveProperty('origins');
  });

  it.each([
    'http://auth.example.com',
    'https://auth.example.com/',
    'https://auth.example.com/token',
    'https://AUTH.example.com',
    'https://auth.example.com:443',
    'https://*.example.com',
    'https://auth.example.com;script-src',
    "https://auth.example.com 'unsafe-inline'",
    'https://user@auth.example.com',
    'auth.example.com',
    'self',
  ])('refuses %s as one of them', (origin) => {
    const signIn = { ...(stageNamed('prod').signIn as object), origins: [origin] };
    expect(() => parseStage({ ...stageNamed('prod'), signIn })).toThrow('signIn.origins: https and host');
  });

  it.each(['https://*', 'https://*.example.com/pool', 'https://auth.example.com;x/'])(
    'refuses %s as the authority',
    (authority) => {
      const signIn = { ...(stageNamed('prod').signIn as object), authority };
      expect(() => parseStage({ ...stageNamed('prod'), signIn })).toThrow('signIn.authority');
    },
  );

  it('serves its own domain where the stage has one, and refuses a certificate of another region', () => {
    const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-1111-4111-8111-111111111111';
    const stage = { ...stageNamed('prod'), domain: { name: 'app.example.cl', certificateArn } };
    templateOf(parseStage(stage)).hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({ Aliases: ['app.example.cl'] }),
    });
    const { DashboardUrl, DistributionDomain } = templateOf(parseStage(stage)).findOutputs('*');
    expect(DashboardUrl!.Value).toBe('https://app.example.cl');
    // The record of the domain must point at this name.
    expect(DistributionDomain).toMatchObject({
      Value: { 'Fn::GetAtt': [expect.stringMatching(/^Distribution/), 'DomainName'] },
      Description: 'Target of the CNAME record of app.example.cl',
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
    ['emulator', true],
  ])('is part of stage %s: %s', (name, isPart) => {
    const stage = name === 'emulator' ? emulatorStage({}) : stageNamed(name);
    const app = createApp({ stage, bundleDir: null, isValidated: false });
    expect(app.node.tryFindChild(stackName(name, 'web')) !== undefined).toBe(isPart);
  });
});

describe('the files of the page', () => {
  let webDir: string;
  let outdir: string;
  beforeEach(() => {
    webDir = mkdtempSync(join(tmpdir(), 'web-'));
    outdir = mkdtempSync(join(tmpdir(), 'synth-'));
  });
  afterEach(() => {
    for (const folder of [webDir, outdir]) rmSync(folder, { recursive: true });
  });

  const write = (key: string, text: string): void => {
    mkdirSync(dirname(join(webDir, key)), { recursive: true });
    writeFileSync(join(webDir, key), text);
  };

  /**
   * The custom resource as CloudFormation passes it on, and the files that the CDK would upload: name among the assets
   * → text.
   */
  const published = (stage = stageNamed('prod')) => {
    // Within one process the CDK caches the hash of a file.
    AssetStaging.clearAssetHashCache();
    const app = new App({ outdir });
    const stack = new WebStack(app, 'web', { stage, apiId: 'abc123', bundleDir: null, webDir });
    const { template } = app.synth().getStackByName(stack.stackName);
    const { Properties } = Object.values(template.Resources as Record<string, { Type: string }>).find(
      ({ Type }) => Type === 'Custom::PublishedPage',
      // biome-ignore lint/suspicious/noExplicitAny: a template is arbitrary JSON.
    ) as any;
    const { files } = JSON.parse(readFileSync(join(outdir, 'web.assets.json'), 'utf8'));
    const uploads = new Map<string, string>(
      // biome-ignore lint/suspicious/noExplicitAny: as for the other output of the CDK.
      Object.values<any>(files).flatMap(({ source, destinations }) =>
        // biome-ignore lint/suspicious/noExplicitAny: the same.
        Object.values<any>(destinations).map(({ objectKey }): [string, string] => [
          objectKey,
          readFileSync(join(outdir, source.path), 'utf8'),
        ]),
      ),
    );
    const { parts } = Publication.parse({ ...Properties, bucket: 'a reference', assetBucket: 'another' });
    return { Properties, parts, uploads };
  };

  it('are written before the page that names them, each with its headers for browsers', () => {
    write('index.html', '<!doctype html>');
    write('favicon.svg', '<svg/>');
    write('assets/index-1a2b.js', 'let it;');
    write('assets/index-3c4d.css', 'a{}');
    write('.vite/manifest.json', '{}');
    const { parts, uploads, Properties } = published();
    const told = parts.map(({ cacheControl, files }) => [
      cacheControl,
      files.map(({ key, asset, contentType }) => [key, contentType, uploads.get(asset)]),
    ]);
    expect(told).toEqual([
      [
        CACHE.asset,
        [
          ['assets/index-1a2b.js', 'text/javascript; charset=utf-8', 'let it;'],
          ['assets/index-3c4d.css', 'text/css; charset=utf-8', 'a{}'],
        ],
      ],
      [
        CACHE.page,
        [
          ['favicon.svg', 'image/svg+xml', '<svg/>'],
          ['index.html', 'text/html; charset=utf-8', '<!doctype html>'],
          ['config.json', 'application/json', JSON.stringify(signInConfig(stageNamed('prod')))],
        ],
      ],
    ]);
    // CloudFormation would wait an hour for a function that cannot answer.
    expect(Number(Properties.ServiceTimeout)).toBe(600);
  });

  it('are written again only when one of them changed', () => {
    write('index.html', 'one');
    const told = (stage = stageNamed('prod')) => JSON.stringify(published(stage).parts);
    const before = told();
    expect(told()).toBe(before);
    expect(told(withSandbox(stageNamed('dev')))).not.toBe(before);
    write('index.html', 'two');
    expect(told()).not.toBe(before);
  });

  it('with an unknown file type are refused', () => {
    write('film.mp4', '');
    expect(() => templateOf(undefined, webDir)).toThrow(
      'film.mp4: infra/web/content-types.ts has no content type for it',
    );
  });

  it('are copied by a function that may read assets, write this bucket, and nothing else', () => {
    const { Policies, ManagedPolicyArns } = only('AWS::IAM::Role');
    expect(ManagedPolicyArns).toBeUndefined();
    const [files] = Object.keys(template.findResources('AWS::S3::Bucket'));
    const bucket = { 'Fn::GetAtt': [files, 'Arn'] };
    const inBucket = { 'Fn::Join': ['', [bucket, '/*']] };
    // biome-ignore lint/suspicious/noExplicitAny: a template is arbitrary JSON.
    const statements = Policies.flatMap((policy: any) => policy.PolicyDocument.Statement);
    // biome-ignore lint/suspicious/noExplicitAny: the same.
    const beyond = statements.filter(({ Action }: any) => !/^(?:logs|xray):/.test([Action].flat()[0]));
    expect(beyond).toEqual([
      { Action: 's3:GetObject', Effect: 'Allow', Resource: expect.anything() },
      { Action: ['s3:DeleteObject', 's3:PutObject'], Effect: 'Allow', Resource: inBucket },
      { Action: 's3:ListBucket', Effect: 'Allow', Resource: bucket },
    ]);
    expect(JSON.stringify(beyond[0].Resource)).toMatch(/:s3:::.*cdk-hnb659fds-assets-\$\{AWS::AccountId\}-/);
    expect(Object.keys(only('AWS::Lambda::Function').Environment.Variables)).toEqual(['STAGE']);
  });

  it('go with the stack: emptied by the function, the bucket is deleted', () => {
    template.hasResource('AWS::S3::Bucket', { DeletionPolicy: 'Delete' });
    template.resourceCountIs('AWS::Lambda::Function', 1);
    template.resourceCountIs('AWS::Lambda::LayerVersion', 0);
  });
});
