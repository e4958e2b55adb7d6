import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { plantClock } from '#shared/platform/clock.ts';
import { decryptSecret, encryptSecret } from '#shared/platform/crypto.ts';
import { newId } from '#shared/platform/ids.ts';
import { secretResource } from '#shared/webhooks/endpoint.store.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { openSecret } from '#shared/webhooks/secret-cache.ts';

vi.mock(import('#shared/platform/crypto.ts'), async (importOriginal) => {
  const real = await importOriginal();
  return { ...real, decryptSecret: vi.fn(real.decryptSecret) };
});

const folder = mkdtempSync(join(tmpdir(), 'opened-secrets-'));
let organizationId: string;
let endpointId: string;
let nowMs: number;

const encrypted = (secret: string) => encryptSecret(organizationId, secretResource(endpointId), secret);

const keyFile = join(folder, 'key');
writeFileSync(keyFile, randomBytes(32).toString('base64'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  vi.stubEnv('ENCRYPTION_KEY_FILE', keyFile);
  [organizationId, endpointId] = [newId(), newId()];
  nowMs = Date.now();
  plantClock(() => nowMs);
  vi.mocked(decryptSecret).mockClear();
});
afterEach(() => plantClock(undefined));

test('a secret is opened once in five minutes, and then again', async () => {
  const ciphertext = await encrypted('whsec_one');
  for (const afterMs of [0, WEBHOOK_LIMITS.webhookSecretOpenMs - 1]) {
    nowMs += afterMs;
    expect(await openSecret(organizationId, endpointId, ciphertext)).toBe('whsec_one');
    expect(decryptSecret).toHaveBeenCalledTimes(1);
  }
  nowMs++;
  expect(await openSecret(organizationId, endpointId, ciphertext)).toBe('whsec_one');
  expect(decryptSecret).toHaveBeenCalledTimes(2);
});

test('one that was rolled is the new one at once', async () => {
  await openSecret(organizationId, endpointId, await encrypted('whsec_one'));
  expect(await openSecret(organizationId, endpointId, await encrypted('whsec_two'))).toBe('whsec_two');
});

test('one that is open here opens for no other organization and no other endpoint', async () => {
  const ciphertext = await encrypted('whsec_one');
  await openSecret(organizationId, endpointId, ciphertext);
  await expect(openSecret(newId(), endpointId, ciphertext)).rejects.toThrow('cannot be opened');
  await expect(openSecret(organizationId, newId(), ciphertext)).rejects.toThrow('cannot be opened');
});

test('what does not open is tried again', async () => {
  const ciphertext = await encrypted('whsec_one');
  vi.mocked(decryptSecret).mockRejectedValueOnce(new Error('the key service does not answer'));
  await expect(openSecret(organizationId, endpointId, ciphertext)).rejects.toThrow('does not answer');
  expect(await openSecret(organizationId, endpointId, ciphertext)).toBe('whsec_one');
});

test('no more are cached than the limit: the oldest is dropped', async () => {
  const ciphertext = await encrypted('whsec_one');
  await openSecret(organizationId, endpointId, ciphertext);
  for (let n = 0; n < WEBHOOK_LIMITS.webhookSecretsOpenMax; n++)
    await openSecret(organizationId, endpointId, await encrypted('whsec_other'));
  vi.mocked(decryptSecret).mockClear();
  await openSecret(organizationId, endpointId, ciphertext);
  expect(decryptSecret).toHaveBeenCalledTimes(1);
});
