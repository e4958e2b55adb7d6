import { describe, expect, it } from 'vitest';
import { createApp } from '#infra/app.ts';
import { baseEnvironment, sessionStatements } from '#infra/constructs/base-env.ts';
import { likeDev, parseStage, STAGE_NAMES, stageNamed } from '#infra/stages.ts';
import { stacksOf } from './synthesized.ts';

const dev = () => structuredClone(stageNamed('dev'));

describe('stages', () => {
  it.each(STAGE_NAMES)('%s is valid', (name) => {
    expect(stageNamed(name).name).toBe(name);
  });

  it.each(['qa', 'a1', 'feature12345', 'twelveletter'])('%s, which the file does not have, is like dev', (name) => {
    const { sandbox, ...stage } = stageNamed(name);
    const { sandbox: devs, ...rest } = dev();
    expect(stage).toEqual({ ...rest, name });
    // The secret of one stage signs no sessions of the other.
    expect(sandbox?.session).toEqual({
      ...devs?.session,
      issuer: `urn:data-connections:${name}`,
      secretParameter: `/data-connections/${name}/session-secret`,
    });
  });

  it('a stage like dev signs sessions with its own secret where dev signs them itself', () => {
    const session = {
      algorithm: 'HS256',
      issuer: 'urn:dev',
      audience: 'data-connections',
      secretParameter: '/dev',
    } as const;
    expect(parseStage(likeDev('anna', { ...dev(), session })).session).toEqual({
      ...session,
      issuer: 'urn:data-connections:anna',
      secretParameter: '/data-connections/anna/session-secret',
    });
  });

  it('a stage like dev keeps its own table where dev was restored', () => {
    const restored = { ...dev(), tableGeneration: 2 };
    for (const leavesFormerTable of [false, true])
      expect(parseStage(likeDev('anna', { ...restored, leavesFormerTable }))).toEqual(stageNamed('anna'));
  });

  it.each(['', 'q', 'Qa', 'q-a', 'q_a', '1qa', 'thirteenlette', 'qa/x', 'añadir'])(
    'no stage is called "%s"',
    (name) => {
      expect(() => createApp({ stage: name, bundleDir: null })).toThrow('2 to 12 small letters and digits');
    },
  );

  it('leaves the stage of the emulator to what makes it', () => {
    expect(() => createApp({ stage: 'emulator', bundleDir: null })).toThrow('npm run verify:deploy');
  });

  it.each(['prod', 'dev'])('leaves it to deploy:stage to protect the stacks of %s from deletion', (stage) => {
    const stacks = stacksOf({ stage });
    expect(stacks.map(({ terminationProtection }) => terminationProtection)).toEqual(stacks.map(() => false));
  });

  it('warns of a stage that the file does not have, which may be a slip of the hand', () => {
    const warned = (stage: string): string[] =>
      stacksOf({ stage }).flatMap(({ messages }) => messages.map(({ text }) => text));
    expect(warned('pord').join()).toContain('stage pord is not in infra/stages.ts: it is like dev');
    for (const stage of STAGE_NAMES) expect(warned(stage).join()).not.toContain('it is like dev');
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
    ['loopback webhooks', { webhookLoopbackAllowed: true }, 'only the local stage may allow this'],
    ['a source without TLS', { sources: { tax: { baseUrl: 'http://tax.example.com' } } }, 'a base URL must be https'],
    [
      'a source on loopback, where nobody said that it may be',
      { sources: { tax: { baseUrl: 'http://127.0.0.1:4001' } } },
      'a base URL must be https',
    ],
    [
      'a source of another scheme',
      { sources: { tax: { baseUrl: 'ftp://tax.example.com' } } },
      'a base URL must be https',
    ],
    ['a source that does not exist', { sources: { nobank: {} } }, 'no source has this code'],
    ['a retention CloudWatch does not have', { logRetentionDays: 15 }, 'logRetentionDays'],
    ['a budget of nothing', { budget: { dollarsAMonth: 0 } }, 'budget.dollarsAMonth'],
    ['a field that does not exist', { logRetention: 14 }, 'logRetention'],
  ])('refuses %s and names it', (_, change, message) => {
    expect(() => parseStage({ ...dev(), ...change })).toThrow(message);
  });

  it('lets a source be on loopback without TLS where webhooks may, and nowhere else', () => {
    const served = (baseUrl: string) => () => parseStage({ ...stageNamed('local'), sources: { tax: { baseUrl } } });
    for (const host of ['127.0.0.1:4001', '[::1]:4001', 'localhost:4001', '127.9.9.9'])
      expect(served(`http://${host}/tax`)).not.toThrow();
    for (const host of ['tax.example.com', '10.0.0.1', 'localhost.example.com', '127.0.0.1.example.com'])
      expect(served(`http://${host}`)).toThrow('a base URL must be https');
    expect(served('https://tax.example.com')).not.toThrow();
    const prod = { ...stageNamed('prod'), sources: { tax: { baseUrl: 'http://127.0.0.1' } } };
    expect(() => parseStage(prod)).toThrow('a base URL must be https');
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

it('gives an HS256 stage the name of its secret, lets it be read, and never replaces the secret with a name', () => {
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
