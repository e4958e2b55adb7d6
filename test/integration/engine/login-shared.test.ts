/** A run reports that another connection reads the same company with the same login. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { identifyAccount } from '#shared/connections/account-key.rules.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { listLoginSharers } from '#shared/connections/connection-index.store.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();

const synchronize = async ({ organizationId, id }: Connection): Promise<string[]> => {
  const connection = (await connections.find(organizationId, id))!;
  const request = { runId: randomUUID(), scopes: ['rcv'], inputMetadata: { periods: ['2026-09'] } };
  await startRun(connection, { ...request, trigger: 'manual' });
  await scripted.world.drain();
  const run = await runs.find(organizationId, id, request.runId);
  const told = run!.outcomes.rcv!.notices.filter(({ code }) => code === 'tax.login_shared');
  return told.map(({ message }) => message);
};

const found = async ({ organizationId, id }: Connection) => (await connections.find(organizationId, id))!;

test('older connections are recognized at their next run, and the last of them names the others', async () => {
  const login = { login: randomUUID(), rut: '76192083-9' };
  const [first, second] = [await scripted.world.connect(login), await scripted.world.connect(login)];
  expect(await synchronize(first)).toEqual([]);
  expect(await synchronize(second)).toEqual([`The same login and company are also connected as ${first.id}.`]);
  expect(await synchronize(first)).toEqual([`The same login and company are also connected as ${second.id}.`]);
  await connections.remove(second.organizationId, second.id, BY_SERVICE);
  expect(await synchronize(first)).toEqual([]);
});

test('a worker stores no account of credentials that were replaced', async () => {
  const read = await scripted.world.connect({ login: 'x', rut: '11111111-1' });
  const [old, fresh] = ['0', '1'].map((digit) => digit.repeat(32));
  const credentials = { ciphertext: new Uint8Array([1]), expectedVersion: 1, accountKey: fresh };
  await connections.change(read, { credentials }, BY_SERVICE);
  await connections.storeAccount(read, 1, old);
  expect((await found(read)).accountKey).toBe(fresh);
  expect(await listLoginSharers({ ...read, id: randomUUID() as never, accountKey: old })).toEqual([]);
});

test('new credentials and a deletion see an account that a worker stored since they read the connection', async () => {
  const read = await scripted.world.connect({ login: 'x', rut: '11111111-1' });
  const key = 'a'.repeat(32);
  await connections.storeAccount(read, 1, key);
  const credentials = { ciphertext: new Uint8Array([1]), expectedVersion: 1, accountKey: undefined };
  await expect(connections.change(read, { credentials }, BY_SERVICE)).rejects.toThrow(connections.ConnectionConflict);
  await connections.change(await found(read), { credentials }, BY_SERVICE);
  expect(await found(read)).not.toHaveProperty('accountKey');
  await connections.storeAccount(await found(read), 2, key);
  const other = { ...read, id: randomUUID() as never, accountKey: key };
  expect(await listLoginSharers(other)).toEqual([read.id]);
  await connections.remove(read.organizationId, read.id, BY_SERVICE);
  expect(await listLoginSharers(other)).toEqual([]);
  await connections.storeAccount({ ...read, accountKey: undefined }, 1, key);
  expect(await listLoginSharers(other)).toEqual([]);
});

test('the key of login and company differs between organizations and holds neither', () => {
  const manifest = { account: [['rut'], ['company_rut', 'rut']] };
  const credentials = { rut: '76192083-9', password: 'p' };
  const [one, other] = ['a', 'b'].map((organization) => identifyAccount(manifest, organization as never, credentials));
  expect(one).toMatch(/^[0-9a-f]{32}\.[\w-]{6}$/);
  expect(one!.split('.').filter((part) => other!.includes(part))).toEqual([]);
  expect(identifyAccount(manifest, 'a' as never, { password: 'p' })).toBeUndefined();
});
