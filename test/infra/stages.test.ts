import { describe, expect, it } from 'vitest';
import { createApp } from '#infra/app.ts';
import { baseEnvironment, sessionStatements } from '#infra/constructs/base-env.ts';
import { parseStage, STAGE_NAMES, stageNamed } from '#infra/stages.ts';

const dev = () => structuredClone(stageNamed('dev'));

describe('stages', () => {
  it.each(STAGE_NAMES)('%s is valid', (name) => {
    expect(stageNamed(name).name).toBe(name);
  });

  it('says which stages there are when the name is unknown', () => {
    expect(() => createApp({ stage: 'qa', bundleDir: null })).toThrow(
      'no stage "qa": choose with -c stage=dev|prod|local',
    );
  });

  it.each([
    ['an algorithm that is not known', { session: { ...dev().session, algorithm: 'none' } }, 'session.algorithm'],
    [
      'a JWKS URL without TLS',
      { session: { ...dev().session, jwksUrl: 'http://auth.example.com/jwks' } },
      'jwksUrl must be an https URL',
    ],
    [
      'an origin with a path',
      { publicOrigins: ['https://app.example.com/x'] },
      'publicOrigins: self, or scheme and host',
    ],
    ['an origin of another scheme', { publicOrigins: ['ftp://app.example.com'] }, 'publicOrigins: self, or scheme'],
    ['an origin without TLS', { publicOrigins: ['http://app.example.com'] }, 'http://app.example.com is not https'],
    ['loopback webhooks', { webhookLoopbackAllowed: true }, 'only the local stage may say yes'],
    ['a source that does not exist', { sources: { nobank: {} } }, 'no source has this code'],
    ['a retention CloudWatch does not have', { logRetentionDays: 15 }, 'logRetentionDays'],
    ['a field that does not exist', { logRetention: 14 }, 'logRetention'],
  ])('refuses %s and names it', (_, change, message) => {
    expect(() => parseStage({ ...dev(), ...change })).toThrow(message);
  });

  it('refuses a shared secret in the clear, and the name of one on the local stage', () => {
    const session = { algorithm: 'HS256', issuer: 'i', audience: 'a' };
    expect(() => parseStage({ ...dev(), session: { ...session, secretParameter: null } })).toThrow('parameter name');
    expect(() => parseStage({ ...dev(), session: { ...session, secretParameter: 'hunter2' } })).toThrow(
      'SSM parameter',
    );
    expect(() => parseStage({ ...stageNamed('local'), session: { ...session, secretParameter: '/s' } })).toThrow();
  });
});

it('tells an HS256 stage where its secret is, lets it be read, and never puts a name in its place', () => {
  const session = { algorithm: 'HS256', issuer: 'i', audience: 'a', secretParameter: '/app/session' };
  const stage = parseStage({ ...dev(), session });
  expect(baseEnvironment(stage)).toMatchObject({
    SESSION_ALGORITHM: 'HS256',
    SESSION_SECRET_PARAMETER: '/app/session',
  });
  expect(baseEnvironment(stage)).not.toHaveProperty('SESSION_SECRET');
  expect(sessionStatements(stage).map((each) => each.actions)).toEqual([['ssm:GetParameter']]);
  expect(sessionStatements(dev())).toEqual([]);
});
