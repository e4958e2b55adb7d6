import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decryptSecret, encryptSecret, SecretUnreadable } from '#shared/platform/crypto.ts';

const ORGANIZATION = '11111111-1111-4111-8111-111111111111';
const SECRET = 'clave-ñandú-✓';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crypto-'));
  const file = join(folder, 'key');
  writeFileSync(file, `${randomBytes(32).toString('base64')}\n`);
  process.env.ENCRYPTION_KEY_FILE = file;
  delete process.env.ENCRYPTION_KEY_ARN;
});
afterAll(() => rmSync(folder, { recursive: true }));

test('opens what it closed, and shows nothing of it', async () => {
  const closed = await encryptSecret(ORGANIZATION, 'connection/1', SECRET);
  expect(Buffer.from(closed).includes(Buffer.from(SECRET))).toBe(false);
  expect(await decryptSecret(ORGANIZATION, 'connection/1', closed)).toBe(SECRET);
});

test('the same secret closes to other bytes each time', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => encryptSecret(ORGANIZATION, 'connection/1', SECRET)));
  expect(Buffer.compare(first!, second!)).not.toBe(0);
});

test('does not open for another resource or organization', async () => {
  const closed = await encryptSecret(ORGANIZATION, 'connection/1', SECRET);
  await expect(decryptSecret(ORGANIZATION, 'connection/2', closed)).rejects.toThrow(SecretUnreadable);
  await expect(decryptSecret('22222222-2222-4222-8222-222222222222', 'connection/1', closed)).rejects.toThrow(
    SecretUnreadable,
  );
});

test('does not open when a single byte was altered, or when the text is foreign', async () => {
  const closed = await encryptSecret(ORGANIZATION, 'connection/1', SECRET);
  for (const at of [0, Math.floor(closed.length / 2), closed.length - 1]) {
    const altered = Uint8Array.from(closed);
    altered[at]! ^= 1;
    await expect(decryptSecret(ORGANIZATION, 'connection/1', altered)).rejects.toThrow(SecretUnreadable);
  }
  await expect(decryptSecret(ORGANIZATION, 'connection/1', new Uint8Array())).rejects.toThrow(SecretUnreadable);
  await expect(decryptSecret(ORGANIZATION, 'connection/1', Buffer.from(SECRET))).rejects.toThrow(SecretUnreadable);
});

test('the error says nothing of the secret', async () => {
  const error = await decryptSecret(ORGANIZATION, 'connection/1', Buffer.from(SECRET)).catch((e: unknown) => e);
  expect(JSON.stringify([String(error), (error as Error).stack, (error as Error).cause])).not.toContain(SECRET);
});
