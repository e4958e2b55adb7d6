/** Every credential of the sandbox's table through the engine, all scopes in one run: codes and notices as it says. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '#shared/sources/procurement/sandbox/credentials.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { type Portal, PROCUREMENT_SCOPES, startPortal } from '#test/helpers/procurement-engine.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.stop());

// `slow` waits for a real minute and a half, `large` for five thousand questions.
const ENTRIES = SANDBOX_CREDENTIALS.filter(({ behaviour }) => !['slow', 'large'].includes(behaviour));

test.each(ENTRIES.map((entry) => [entry.label, entry] as const))('%s', { timeout: 60_000 }, async (_label, entry) => {
  const connection = await portal.world.connect(entry.credentials);
  const run = await portal.sync(connection, entry.metadata);
  for (const { name } of PROCUREMENT_SCOPES) {
    const expected = entry.outcomes[name] ?? entry.outcomes['*'] ?? null;
    const outcome = run.outcomes[name]!;
    expect([outcome.errorCode, outcome.status], name).toEqual([expected, expected === null ? 'ok' : 'failed']);
    // More notices than a run lists depend on the files that other entries fetched before.
    const told = new Set(outcome.notices.map(({ code }) => code).filter((code) => code !== 'sync.more_notices'));
    expect([...told], name).toEqual(entry.notices?.[name] ?? []);
    const { count } = portal.sandbox.ledger(entry.credentials.ticket)[name]!.now;
    if (expected === null) expect(outcome.recordsFound, name).toBe(count);
  }
  expect(JSON.stringify(run)).not.toContain(entry.credentials.ticket);
});

test('a tender that goes on is followed to its end by every scope, and then left alone', async () => {
  const [entry] = SANDBOX_CREDENTIALS;
  const codigo = entry!.metadata.codigos!.at(-1)!;
  const connection = await portal.world.connect(entry!.credentials);
  const counted = (run: SyncRun) =>
    PROCUREMENT_SCOPES.map(({ name }) => [run.outcomes[name]!.recordsFound, run.outcomes[name]!.recordsUpdated]);
  await portal.sync(connection, { codigos: [codigo] });
  expect((await portal.ficha(codigo)).body.data.estado).toBe('publicada');
  expect(await portal.rows('ofertas', codigo)).toEqual([]);
  portal.world.advance(60 * 86_400_000);
  const later = await portal.sync(connection, {});
  expect((await portal.ficha(codigo)).body.data.estado).not.toBe('publicada');
  expect(later.outcomes.licitaciones).toMatchObject({ recordsFound: 1, recordsCreated: 0, recordsUpdated: 1 });
  expect(later.outcomes.ofertas).toMatchObject({ recordsFound: 3, recordsCreated: 3 });
  expect(await portal.rows('ofertas', codigo)).toHaveLength(3);
  expect(counted(await portal.sync(connection, {}))).toEqual(PROCUREMENT_SCOPES.map(() => [0, 0]));
});
