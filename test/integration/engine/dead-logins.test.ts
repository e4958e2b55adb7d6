/**
 * Two workers die during a login, so it is unknown whether the institution counted the password. An account that may be
 * locked gets no request until the next day, and the error says so; a ticket is tried again.
 */
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { manifest as procurement } from '#shared/sources/procurement/manifest.ts';
import { SourceError, type SourceManifest } from '#shared/sources/source.ts';
import { manifest as tax } from '#shared/sources/tax/manifest.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { isTerminal, type SyncRun } from '#shared/sync/run.rules.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { scriptedSource } from '#test/fakes/scripted-source.ts';
import { startEngine } from '#test/helpers/engine.ts';

/** Runs twice with workers that die in their logins, and then once with a refusal. Returns the ends of the last run. */
const endAfterDeaths = async (
  manifest: SourceManifest,
  scope: ScopeDefinition,
  inputMetadata: Record<string, unknown>,
): Promise<{ run: SyncRun; logins: number }> => {
  const source = { ...scriptedSource(), manifest };
  const world = await startEngine(source, scope);
  const sync = async (connection: Parameters<typeof startRun>[0]): Promise<SyncRun> => {
    const request = { runId: randomUUID(), scopes: [scope.name], inputMetadata, trigger: 'manual' as const };
    const { id } = await startRun(connection, request);
    const find = async () => (await runs.find(world.organizationId, connection.id, id))!;
    for (let minute = 0; minute < 30 && !isTerminal(await find()); minute++) {
      await world.drain();
      world.advance(60_000);
      await world.sweep();
    }
    return find();
  };
  try {
    const connection = await world.connect({ login: randomUUID() });
    source.script.connect = async () => {
      world.dieAt(1);
      throw new Error('the process is gone');
    };
    await sync(connection);
    expect(source.counts.logins).toBe(2);
    source.script.connect = async () => {
      throw new SourceError('source.invalid_credentials', 'rejected');
    };
    return { run: await sync(connection), logins: source.counts.logins };
  } finally {
    vi.restoreAllMocks();
    await world.stop();
  }
};

test('an account that may be locked waits for the next day, and the error says until when', async () => {
  const { run, logins } = await endAfterDeaths(tax, taxRcv, { periods: ['2026-10'] });
  expect(logins).toBe(2);
  expect(run).toMatchObject({ status: 'failed', errorCode: 'source.timeout' });
  expect(run.errorMessage).toMatch(
    /Not tried: two unclear logins today; next try 2026-11-22T03:00:00\.000Z or with new/,
  );
});

test('a ticket is tried again', async () => {
  const { run, logins } = await endAfterDeaths(procurement, procurementLicitaciones, { codigos: ['1000-1-LE26'] });
  expect(logins).toBe(3);
  expect(run).toMatchObject({ status: 'failed', errorCode: 'source.invalid_credentials' });
});
