import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClock } from '#tools/local/clock.ts';
import { startDynamo } from '#tools/local/dynamo.ts';
import { developmentIssuer, overlaid } from '#tools/local/overlay.ts';
import { findSandboxes, startSandboxes } from '#tools/local/sandboxes.ts';
import { startTinyStack, temporaryFolder } from './tiny-stack.ts';

const SOURCES = join(import.meta.dirname, '../../shared/sources');

const INPUT = {
  region: 'us-east-1',
  endpoints: { dynamodb: 'http://d', sqs: 'http://q', s3: 'http://s', scheduler: 'http://c' },
  apiUrl: 'http://127.0.0.1:3000',
  encryptionKeyFile: '/data/encryption.key',
  issuer: developmentIssuer('secret'),
  sandboxes: { tax: { url: 'http://sandbox' } },
  operator: {},
};

test('what AWS would give is replaced, what a function does not need stays away', () => {
  expect(overlaid({ ENCRYPTION_KEY_ARN: 'arn', STAGE: 'local', SESSION_SECRET: 'x' }, INPUT)).toEqual({
    STAGE: 'local',
    ENCRYPTION_KEY_FILE: '/data/encryption.key',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://d',
    AWS_ENDPOINT_URL_SQS: 'http://q',
    AWS_ENDPOINT_URL_S3: 'http://s',
    AWS_ENDPOINT_URL_SCHEDULER: 'http://c',
    SESSION_ALGORITHM: 'HS256',
    SESSION_ISSUER: 'http://127.0.0.1/dev-issuer',
    SESSION_AUDIENCE: 'authenticated',
    SESSION_SECRET: 'secret',
    PUBLIC_ORIGINS: 'http://127.0.0.1:3000,http://localhost:3000',
    SYNC_STARTS_PER_MINUTE: '600',
    READS_PER_MINUTE: '10000',
    SOURCE_TAX_BASE_URL: 'http://sandbox',
    SOURCE_TAX_PACE: '0,0,0',
  });
  const plain = overlaid({}, INPUT);
  expect(plain).not.toHaveProperty('ENCRYPTION_KEY_FILE');
  expect(plain).not.toHaveProperty('WEBHOOK_LOOPBACK_ALLOWED');
  expect(overlaid({ WEBHOOK_LOOPBACK_ALLOWED: 'false' }, INPUT).WEBHOOK_LOOPBACK_ALLOWED).toBe('true');
});

test('the operator’s setting applies: another server, with its own pace', () => {
  const operator = { SOURCE_TAX_BASE_URL: 'http://mine', SYNC_STARTS_PER_MINUTE: '5', READS_PER_MINUTE: '7' };
  const other = overlaid({}, { ...INPUT, operator });
  expect(other).toMatchObject(operator);
  expect(other).not.toHaveProperty('SOURCE_TAX_PACE');
  expect(overlaid({}, { ...INPUT, operator: { SOURCE_TAX_PACE: '9,9,9' } })).toMatchObject({
    SOURCE_TAX_BASE_URL: 'http://sandbox',
    SOURCE_TAX_PACE: '9,9,9',
  });
  expect(findSandboxes(SOURCES, operator).map(({ code }) => code)).not.toContain('tax');
});

test('the sandboxes of the source folders start', async () => {
  const clock = createClock(join(temporaryFolder(), 'clock.json'));
  const sandboxes = await startSandboxes(findSandboxes(SOURCES, {}), clock);
  try {
    expect(Object.keys(sandboxes.running)).toContain('tax');
    for (const { url, credentials } of Object.values(sandboxes.running)) {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await fetch(url)).status).toBeLessThan(500);
      expect(credentials).not.toBeNull();
    }
  } finally {
    await sandboxes.close();
    clock.close();
  }
});

test('DYNAMODB_ENDPOINT names another table server', async () => {
  const other = await startDynamo(temporaryFolder());
  try {
    const stack = await startTinyStack({ environment: { DYNAMODB_ENDPOINT: other.endpoint } });
    try {
      expect(stack.dynamoPid).toBeUndefined();
      expect(stack.endpoints.dynamodb).toBe(other.endpoint);
      expect(stack.functions.model(stack.model.functions[0]?.name ?? '').environment).toMatchObject({
        AWS_ENDPOINT_URL_DYNAMODB: other.endpoint,
      });
    } finally {
      await stack.close();
    }
  } finally {
    await other.close();
  }
});
