/** Behaviour of an institution that no function can show: an answer that ends in its middle, or comes too late. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SANDBOX_LIMITS } from '#functions/sandbox/limits.ts';
import type { Behaviour } from '#shared/sources/banktwo/sandbox/behaviour.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/banktwo/sandbox/credentials.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { type SandboxFunction, startSandboxFunction, type Told } from '#test/helpers/sandbox-instances.ts';

/** Set only during the 70 s in which a slow institution is read: no other answer needs to be fast. */
const IMPATIENT_MS = 200;
let answerMs: number = SANDBOX_LIMITS.sandboxAnswerMs;

let table: TestTable;
let sandbox: SandboxFunction;
beforeAll(async () => {
  table = await startTable();
  sandbox = await startSandboxFunction(2, () => answerMs);
});
afterAll(() => table.stop());

type Ask = (instance: number) => Promise<Told>;

const loggedIn = async (behaviour: Behaviour): Promise<{ accounts: Ask; balances: Ask }> => {
  const { credentials } = SANDBOX_CREDENTIALS.find((entry) => entry.behaviour === behaviour)!;
  const { client_id, client_secret, company_rut } = credentials;
  const { text } = await sandbox.ask(0, {
    method: 'POST',
    url: '/banktwo/oauth2/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
    },
    body: 'grant_type=client_credentials&scope=accounts.read',
  });
  const headers = {
    authorization: `Bearer ${JSON.parse(text).access_token}`,
    'x-client-id': client_id,
    'x-client-code': company_rut.replace('-', '').padStart(11, '0'),
    'x-request-id': '0192d8f4-0000-7000-8000-000000000001',
  };
  const url = '/banktwo/v1/current-accounts';
  const accounts = (instance: number) => sandbox.ask(instance, { url, headers });
  const balances = async (instance: number) => {
    const [account] = JSON.parse((await accounts(instance)).text).accounts;
    return sandbox.ask(instance, { url: `${url}/${account.accountId}/balances`, headers });
  };
  return { accounts, balances };
};

const callsOf = async (behaviour: Behaviour): Promise<number> => {
  const { client_id } = SANDBOX_CREDENTIALS.find((entry) => entry.behaviour === behaviour)!.credentials;
  const { read } = await import('#functions/sandbox/memory.store.ts');
  return JSON.parse((await read('banktwo', client_id)).text).dataCalls?.[0]?.[1] ?? 0;
};

test('an answer that is cut off is a 502 of the gateway, and counts as a call', async () => {
  const { balances } = await loggedIn('cut_off');
  const before = await callsOf('cut_off');
  expect([(await balances(0)).statusCode, (await balances(1)).statusCode]).toEqual([502, 502]);
  expect((await callsOf('cut_off')) - before).toBe(4);
});

test('an answer that takes too long is a 504, counts as a call, and its instance serves others', async () => {
  const { accounts: slow } = await loggedIn('slow');
  const { accounts: works } = await loggedIn('works');
  const before = await callsOf('slow');
  answerMs = IMPATIENT_MS;
  expect((await slow(0)).statusCode).toBe(504);
  answerMs = SANDBOX_LIMITS.sandboxAnswerMs;
  expect((await callsOf('slow')) - before).toBe(1);
  expect((await works(0)).statusCode).toBe(200);
  expect((await works(1)).statusCode).toBe(200);
});

test('what nobody used for a week was never there, and nobody writes over what others wrote since', async () => {
  const [{ sandboxMemoryKey }, { MemoryConflict, NONE, read, write }, { update }, { nowSeconds }] = await Promise.all([
    import('#shared/table/keys.ts'),
    import('#functions/sandbox/memory.store.ts'),
    import('#shared/table/table.ts'),
    import('#shared/platform/clock.ts'),
  ]);
  await write('banktwo', 'somebody', '{}', NONE);
  const kept = await read('banktwo', 'somebody');
  expect(kept).toEqual({ text: '{}', version: 1 });
  await update(sandboxMemoryKey('banktwo', 'somebody'), { set: { expires_at_epoch: nowSeconds() } });
  expect(await read('banktwo', 'somebody')).toEqual({ text: '', version: 1 });
  await write('banktwo', 'somebody', '{"next":[]}', kept);
  for (const before of [kept, NONE])
    await expect(write('banktwo', 'somebody', '{}', before)).rejects.toThrow(MemoryConflict);
  expect(await read('banktwo', 'somebody')).toEqual({ text: '{"next":[]}', version: 2 });
});
