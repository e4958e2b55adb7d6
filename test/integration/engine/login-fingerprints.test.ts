/**
 * What the table stores of passwords: connections of one login share the fingerprint, and without the secret key nobody
 * can test a password against it.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { decryptSecret, fingerprintSecret, secretResource } from '#shared/platform/crypto.ts';
import { fingerprintKeyItem, loginHistoryItem } from '#shared/sync/login/login.store.ts';
import { identifyLogin, openCredentials } from '#shared/sync/login/open-credentials.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { secretsIn } from '#shared/values/credential-fields.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();

const synchronize = async (login: string): Promise<Connection> => {
  const connection = await scripted.world.connect({ login });
  const request = { runId: randomUUID(), scopes: ['rcv'], inputMetadata: { periods: ['2026-09'] } };
  await startRun(connection, { ...request, trigger: 'manual' });
  await scripted.world.drain();
  return connection;
};

const historyOf = async ({ organizationId }: Connection, login: string) => {
  const { source, key } = identifyLogin(scripted.source, organizationId, { login });
  const found = (await table.get(keys.logins(organizationId, source, key)))!;
  const fingerprintKey = fingerprintKeyItem.fromItem(found).fingerprintKey!;
  return { credentials: loginHistoryItem.fromItem(found).credentials, fingerprintKey };
};

test('one key a login, made once, and sealed for its source', async () => {
  const [login, other] = [randomUUID(), randomUUID()];
  const first = await synchronize(login);
  const history = await historyOf(first, login);
  await synchronize(login);
  const again = await historyOf(first, login);
  expect(Object.keys(again.credentials)).toEqual(Object.keys(history.credentials));
  expect(again.fingerprintKey).toEqual(history.fingerprintKey);
  const foreign = await historyOf(await synchronize(other), other);
  expect(foreign.fingerprintKey).not.toEqual(history.fingerprintKey);

  const { source, key } = identifyLogin(scripted.source, first.organizationId, { login });
  const secrets = secretsIn(scripted.source.manifest.credentialsSchema, { login });
  const opened = await decryptSecret(
    first.organizationId,
    secretResource.fingerprints(source, key),
    history.fingerprintKey,
  );
  expect(fingerprintSecret(opened, JSON.stringify(secrets))).toBe(Object.keys(history.credentials)[0]);
  expect(Buffer.from(history.fingerprintKey).includes(Buffer.from(opened))).toBe(false);
  await expect(
    decryptSecret(first.organizationId, secretResource.fingerprints(source, 'x'), history.fingerprintKey),
  ).rejects.toThrow();
});

test('two workers at once have one key', async () => {
  const connection = await scripted.world.connect({ login: randomUUID() });
  const opened = await Promise.all([1, 2, 3].map(() => openCredentials(connection, scripted.source)));
  const made = await Promise.all(opened.map(({ fingerprint }) => fingerprint()));
  expect(new Set(made).size).toBe(1);
});
