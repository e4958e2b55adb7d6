/**
 * A tender that is open at its first reading: what later runs read of it. The test has its own world, because its time
 * moves.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '#shared/sources/procurement/sandbox/credentials.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { type Portal, PROCUREMENT_SCOPES, startPortal } from '#test/helpers/procurement-engine.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.stop());

test('every scope follows an open tender to its end, and then no longer reads it', async () => {
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
