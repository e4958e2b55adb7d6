/** What survives a restart of the local stack, for the programs of a developer: organization, key, and the agent's token. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as grants from '#shared/agents/grant.store.ts';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { callerOfBearer } from '#shared/http/request/auth.ts';
import { nowIso, plantClock } from '#shared/platform/clock.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { seed } from '#tools/local/seed.ts';

const AT = Date.parse('2026-11-27T12:00:00.000Z');
const DAY_MS = 86_400_000;
const ISSUER = { algorithm: 'HS256', issuer: 'test', audience: 'authenticated', secret: 's'.repeat(32) } as const;
let table: EngineTable;
let dataFolder: string;

beforeAll(async () => {
  table = await startEngineTable();
});
beforeEach(() => {
  plantClock(() => AT);
  dataFolder = mkdtempSync(join(tmpdir(), 'seed-'));
  vi.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(() => rmSync(dataFolder, { recursive: true }));
afterAll(async () => {
  plantClock(undefined);
  await table.stop();
});

const start = (port = 4400) => {
  const apiUrl = `http://127.0.0.1:${port}`;
  return seed({ dataFolder, apiUrl, inboxUrl: `${apiUrl}/inbox`, issuer: ISSUER, sandboxes: {}, environment: {} });
};
const reads = async (token: string) => (await callerOfBearer(`Bearer ${token}`)) !== undefined;

test('the same token after a restart, and no further grant', async () => {
  const first = await start();
  for (let n = 0; n < 3; n++) expect(await start()).toMatchObject({ access_token: first.access_token });
  expect(await reads(first.access_token)).toBe(true);
  expect(await grants.list(first.organization_id)).toHaveLength(1);
});

test('another token at another address, because the old one is for another resource', async () => {
  const first = await start();
  const second = await start(4401);
  expect([await reads(first.access_token), await reads(second.access_token)]).toEqual([false, true]);
});

test('another token when the old one was revoked, or ends within a day', async () => {
  const first = await start();
  const [grant] = await grants.list(first.organization_id);
  await grants.revoke(first.organization_id, grant!.id, { at: nowIso(), reason: 'person' }, BY_SERVICE);
  const second = await start();
  expect([second.access_token === first.access_token, await reads(second.access_token)]).toEqual([false, true]);
  plantClock(() => AT + 29 * DAY_MS + 1);
  const third = await start();
  expect([third.access_token === second.access_token, await reads(third.access_token)]).toEqual([false, true]);
});
