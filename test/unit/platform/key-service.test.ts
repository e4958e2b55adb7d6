/** KMS that refuses, fails or is silent: a name of its own, apart from a secret that cannot be opened. */
import { randomBytes } from 'node:crypto';
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeError } from '#shared/platform/describe-error.ts';
import { mockAwsClient } from '#test/fakes/aws-client.ts';

const ORGANIZATION = '11111111-1111-4111-8111-111111111111';
const ARN = 'arn:aws:kms:us-east-1:000000000000:key/11111111-2222-4333-8444-555555555555';
const kms = mockAwsClient(KMSClient);

/** Each test gets modules without cached data keys. */
const load = async () => {
  vi.resetModules();
  const { waitAtMost, withPatience } = await import('#shared/platform/patience.ts');
  const crypto = await import('#shared/platform/crypto.ts');
  return { ...crypto, briefly: <T>(work: () => T): T => withPatience(waitAtMost(200), work) };
};

const failure = (name: string, httpStatusCode = 400) =>
  Object.assign(new Error('a message of KMS'), { name, $metadata: { httpStatusCode } });

/** The keyring clears the bytes that it was given. */
const copyOf = ({ KeyId, Plaintext }: { KeyId: string; Plaintext: Uint8Array }) => ({
  KeyId,
  Plaintext: Uint8Array.from(Plaintext),
});

let closed: Uint8Array;
let answer: { KeyId: string; Plaintext: Uint8Array };
beforeEach(async () => {
  vi.stubEnv('ENCRYPTION_KEY_ARN', ARN);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  const Plaintext = randomBytes(32);
  answer = { KeyId: ARN, Plaintext };
  kms.reset();
  kms.on(GenerateDataKeyCommand).callsFake(() => ({ ...copyOf(answer), CiphertextBlob: randomBytes(64) }));
  kms.on(DecryptCommand).callsFake(() => copyOf(answer));
  closed = await (await load()).encryptSecret(ORGANIZATION, 'connection/1', 'clave');
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => kms.restore());

const open = async () => {
  const { briefly, decryptSecret } = await load();
  return briefly(() => decryptSecret(ORGANIZATION, 'connection/1', closed));
};
const openError = async () => describeError(await open().catch((error: unknown) => error));

test.each(['ThrottlingException', 'LimitExceededException'])('%s: the call is repeated', async (name) => {
  kms.on(DecryptCommand).rejectsOnce(failure(name)).rejectsOnce(failure(name)).resolves(copyOf(answer));
  expect(await open()).toBe('clave');
  expect(kms.commandCalls(DecryptCommand)).toHaveLength(3);
});

test('an answer in time is used', async () => {
  expect(await open()).toBe('clave');
});

test.each([
  ['ThrottlingException', 400, 'ServiceBusy < ThrottlingException'],
  ['KMSInternalException', 500, 'KMSInternalException'],
  ['TimeoutError', undefined, 'TimeoutError'],
])('%s until the patience ends: the key did not answer, and the log has the name', async (name, status, causes) => {
  kms.on(DecryptCommand).rejects(failure(name, status));
  expect(await openError()).toMatchObject({ error_name: 'KeyUnanswered', error_causes: causes });
});

test.each(['AccessDeniedException', 'DisabledException', 'InvalidCiphertextException'])(
  '%s: the secret cannot be opened, and the log has the name',
  async (name) => {
    kms.on(DecryptCommand).rejects(failure(name));
    expect(await openError()).toMatchObject({ error_name: 'SecretUnreadable', error_causes: name });
    expect(kms.commandCalls(DecryptCommand)).toHaveLength(1);
  },
);

test('a new secret: a busy key is waited for, a silent one has the same name', async () => {
  const { briefly, encryptSecret, KeyUnanswered } = await load();
  const close = () => briefly(() => encryptSecret(ORGANIZATION, 'connection/1', 'clave'));
  kms.on(GenerateDataKeyCommand).rejects(failure('ThrottlingException'));
  await expect(close()).rejects.toThrow(KeyUnanswered);
});

test('ten secrets of one endpoint opened at once are one call', async () => {
  vi.resetModules();
  const { openSecret } = await import('#shared/webhooks/secret-cache.ts');
  const { encryptSecret } = await import('#shared/platform/crypto.ts');
  const { secretResource } = await import('#shared/webhooks/endpoint.store.ts');
  const ciphertext = await encryptSecret(ORGANIZATION, secretResource('endpoint'), 'whsec_one');
  const all = Array.from({ length: 10 }, () => openSecret(ORGANIZATION, 'endpoint', ciphertext));
  expect(new Set(await Promise.all(all))).toEqual(new Set(['whsec_one']));
  expect(kms.commandCalls(DecryptCommand).length).toBe(1);
});
