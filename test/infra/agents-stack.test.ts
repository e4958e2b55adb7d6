/** Resources that agents call: they know the page's name, and a client without a token learns where to get one. */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { stackName } from '#infra/app.ts';
import { AGENT_FUNCTIONS } from '#infra/manifest.ts';
import { parseStage, stageNamed } from '#infra/stages.ts';
import { agentChallenge } from '#infra/web/agent-challenge.ts';
import { type Json, ofType, stackOf, webTemplate } from './synthesized.ts';

const DOMAIN = { name: 'data.example.com', certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/x' };

const variablesOf = (functions: readonly { properties: Record<string, Json> }[]): Json[] =>
  functions.map(({ properties }) => properties.Environment.Variables);

const needing = (stage: string) => {
  const ids = AGENT_FUNCTIONS.filter(({ contract }) => contract.needs.includes('public-origin'));
  const names = ids.map(({ functionId }) => functionId);
  return ofType(stage, 'AWS::Lambda::Function').filter(({ properties }) => names.includes(properties.Description));
};

describe('the public origin', () => {
  it('is the name of the page, taken from its stack', () => {
    const origins = variablesOf(needing('prod')).map(({ PUBLIC_ORIGIN }) => PUBLIC_ORIGIN);
    expect(origins.length).toBeGreaterThan(2);
    for (const origin of origins)
      expect(origin).toEqual({
        'Fn::Join': ['', ['https://', { 'Fn::ImportValue': expect.stringMatching(/-web:.*DomainName/) }]],
      });
  });

  it('is the domain of a stage that has one, and of nothing that a request says', () => {
    const stage = parseStage({ ...stageNamed('dev'), domain: DOMAIN });
    const { template } = stackOf({ stage }, stackName('dev', 'agents'));
    const text = JSON.stringify(template);
    expect(text).toContain('"PUBLIC_ORIGIN":"https://data.example.com"');
    expect(text).not.toContain('DomainName');
  });

  it('is set by the operator of the stage on one machine', () => {
    for (const { PUBLIC_ORIGIN } of variablesOf(needing('local')))
      expect(PUBLIC_ORIGIN).toBe('set-by-the-local-runner');
  });

  it('comes after the page: the stack waits for it', () => {
    const { dependencies } = stackOf({ stage: 'prod' }, stackName('prod', 'agents'));
    expect(dependencies).toEqual(expect.arrayContaining([stackName('prod', 'web'), stackName('prod', 'api')]));
  });
});

describe('addresses of apps', () => {
  it.each([
    'javascript://x/%0aalert(1)',
    'https://agent.example/cb',
    'data:text/html,x',
    'app://x/y#z',
    'app:x',
    'app://a@b/',
  ])('never %s', (uri) => {
    expect(() => parseStage({ ...stageNamed('dev'), appRedirectUris: [uri] })).toThrow('appRedirectUris');
  });

  it('are the one that Cursor needs, where a stage says nothing', () => {
    expect(stageNamed('prod').appRedirectUris).toEqual(['cursor://anysphere.cursor-mcp/oauth/callback']);
  });
});

describe('in front of the address of agents', () => {
  const run = (text: string, request: object): Json =>
    JSON.parse(JSON.stringify(runInNewContext(`${text}; handler(${JSON.stringify({ request })})`)));
  const host = { host: { value: 'd111.cloudfront.net' } };
  const challenge = (origin: string) =>
    `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/api/mcp", scope="data:read"`;

  it('a POST without a token learns where to get one', () => {
    const answer = run(agentChallenge(null), { uri: '/api/mcp', method: 'POST', headers: host });
    expect(answer).toEqual({
      statusCode: 401,
      statusDescription: 'Unauthorized',
      headers: {
        'www-authenticate': { value: challenge('https://d111.cloudfront.net') },
        'cache-control': { value: 'no-store' },
      },
    });
  });

  it('by the domain if the stage has one, regardless of the request', () => {
    const answer = run(agentChallenge('https://data.example.com'), {
      uri: '/api/mcp/',
      method: 'POST',
      headers: { host: { value: 'evil' } },
    });
    expect(answer.headers['www-authenticate'].value).toBe(challenge('https://data.example.com'));
  });

  it('everything else passes unchanged', () => {
    for (const request of [
      { uri: '/api/mcp', method: 'GET', headers: host },
      { uri: '/api/mcp', method: 'OPTIONS', headers: host },
      { uri: '/.well-known/other', method: 'POST', headers: host },
      { uri: '/api/mcp', method: 'POST', headers: { ...host, authorization: { value: 'Bearer x' } } },
    ])
      expect(run(agentChallenge(null), request)).toEqual(request);
  });

  it.each(['/api/mcp', '/.well-known/oauth-protected-resource/api/mcp'])(
    '%s is found with a slash behind it',
    (uri) => {
      const request = { method: 'GET', headers: host };
      expect(run(agentChallenge(null), { ...request, uri: `${uri}/` })).toEqual({ ...request, uri });
    },
  );

  it.each(['/api/mcp', '/api/mcp/', '/.well-known/*'])('is what CloudFront runs for %s', (pattern) => {
    const { Resources } = webTemplate();
    const functions = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::CloudFront::Function');
    const [id] = functions.find(([, { Properties }]) => Properties!.FunctionCode === agentChallenge(null))!;
    const distribution = Object.values(Resources).find(({ Type }) => Type === 'AWS::CloudFront::Distribution')!;
    const behavior = distribution.Properties!.DistributionConfig.CacheBehaviors.find(
      ({ PathPattern }: Json) => PathPattern === pattern,
    );
    expect(behavior.FunctionAssociations).toEqual([
      { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [id, 'FunctionARN'] } },
    ]);
  });
});
