/** The list of the trail: pages, cursors, who may read it, and how far it goes back. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { contract } from '#functions/api/audit/list-audit-events/contract.ts';
import { handler } from '#functions/api/audit/list-audit-events/handler.ts';
import { type AuditEvent, BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as audit from '#shared/audit/audit.store.ts';
import { AUDIT_LIMITS } from '#shared/audit/limits.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { type Answered, call } from '#test/helpers/http.ts';
import { sessionCookie, useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const AT = Date.parse('2026-11-05T12:00:00.000Z');
const DAY_MS = 86_400_000;

let testTable: EngineTable;
let clockMs = AT;
let ours: string;
let session: Credential;

beforeAll(async () => {
  testTable = await startEngineTable();
  useSharedSecretIssuer();
});
beforeEach(async () => {
  clockMs = AT;
  plantClock(() => clockMs++);
  ours = randomUUID();
  session = { cookies: await sessionCookie(ours) };
});
afterAll(async () => {
  plantClock(undefined);
  await testTable.stop();
});

const page = (query = 'limit=200', who = session): Promise<Answered> => call(contract, handler, { ...who, query });

const plant = async (organizationId: string, count: number): Promise<AuditEvent[]> => {
  const events = Array.from({ length: count }, () =>
    audit.newEvent({ organizationId, action: 'connection.failed', targetId: randomUUID() }, BY_SERVICE),
  );
  await table.batchWrite({ puts: events.map((event) => (audit.putEvent(event) as { put: table.Item }).put) });
  return events;
};

test('the list is read page by page without a gap or a repeat, while new events come', async () => {
  const planted = await plant(ours, 205);
  const seen: string[] = [];
  const sizes: number[] = [];
  for (let query = 'limit=100'; query !== ''; ) {
    const { data, page: shown } = (await page(query)).body;
    seen.push(...data.map(({ id }: { id: string }) => id));
    sizes.push(data.length);
    expect(shown.has_more).toBe(shown.next_cursor !== null);
    query = shown.has_more ? `limit=100&cursor=${shown.next_cursor}` : '';
    await plant(ours, 1);
  }
  expect(sizes).toEqual([100, 100, 5]);
  expect(seen).toEqual(planted.map(({ id }) => id).toReversed());
});

test('the list ends with a page that has no cursor, also if it is full', async () => {
  await plant(ours, 2);
  expect((await page('limit=2')).body.page).toEqual({ limit: 2, has_more: false, next_cursor: null });
  expect((await page('')).body.page).toMatchObject({ limit: 50 });
  expect((await page('limit=200')).status).toBe(200);
  expect((await page('limit=201')).status).toBe(400);
});

test.each([
  'x',
  'e30',
  'x'.repeat(HTTP_LIMITS.cursorCharsMax + 1),
  Buffer.from('["1"]').toString('base64url'),
  Buffer.from('[1,2]').toString('base64url'),
])('the list refuses the cursor %s', async (cursor) => {
  const { status, body } = await page(`cursor=${cursor}`);
  expect([status, body.error.code]).toEqual([400, 'validation_error']);
});

test('the list is only for sessions, and shows only the own organization', async () => {
  await plant(ours, 1);
  const { key, 'access-token': agent } = await callersOf(ours);
  expect((await page('', key)).status).toBe(403);
  expect((await page('', agent)).status).toBe(403);
  expect((await page('', {})).status).toBe(401);
  expect((await page('', { cookies: await sessionCookie(randomUUID()) })).body.data).toEqual([]);
});

test('the list goes back 400 days, and TTL removes older events', async () => {
  const [{ id }] = (await plant(ours, 1)) as [AuditEvent];
  const stored = await table.get(keys.auditEvent(ours, id));
  expect(Number(stored?.expires_at_epoch)).toBe(Math.floor(AT / 1_000) + AUDIT_LIMITS.auditDays * 86_400);
  const shownAt = async (ms: number) => {
    clockMs = ms;
    const { events } = await audit.list(ours, { limit: 1, before: null });
    return events.length;
  };
  expect(await shownAt(AT + 400 * DAY_MS - 1_000)).toBe(1);
  expect(await shownAt(AT + 400 * DAY_MS + 1_000)).toBe(0);
});
