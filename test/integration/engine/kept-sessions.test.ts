/** Stored sessions: when they are written again, when the sweeper checks them, and who may log one out. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { nowMs } from '#shared/platform/clock.ts';
import { SourceError } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { find, forget, keep, postpone } from '#shared/sync/login/source-session.store.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { parseDueMs } from '#shared/table/due-keys.ts';
import { keys } from '#shared/table/keys.ts';
import type { Slot } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();

describe('a session that is stored again', () => {
  let slot: Pick<Slot, 'login' | 'n' | 'lookedAtMs'>;
  beforeEach(() => {
    slot = { login: { source: 'tax', key: randomUUID(), sessionsMax: 1 }, n: 0 };
  });
  const session = (text: string, isOver = false) => ({
    connectionId: '0197a4c0-0000-7000-8000-000000000001',
    credentialsVersion: 1,
    ciphertext: new TextEncoder().encode(text),
    ...(isOver && { isOver }),
  });
  const organizationId = () => scripted.world.organizationId;
  const stored = () => table.get(keys.session(organizationId(), slot.login.source, slot.login.key, slot.n));
  const dueInMs = async () => parseDueMs((await stored()) as never) - nowMs();

  test('leaves its due entry while that is far, and moves it before the sweeper looks', async () => {
    await keep(organizationId(), slot, session('one'));
    expect(await dueInMs()).toBe(SYNC_LIMITS.keptSessionMs);
    scripted.world.advance(SYNC_LIMITS.keptSessionMs / 2);
    await keep(organizationId(), slot, session('two'));
    expect(await dueInMs()).toBe(SYNC_LIMITS.keptSessionMs / 2);
    expect(await find(organizationId(), slot)).toEqual(session('two'));
    scripted.world.advance(1);
    await keep(organizationId(), slot, session('three'));
    expect(await dueInMs()).toBe(SYNC_LIMITS.keptSessionMs);
    expect(await find(organizationId(), slot)).toEqual(session('three'));
  });

  test('stores its present state: one that had expired may be followed by one that has not', async () => {
    await keep(organizationId(), slot, session('one'));
    await keep(organizationId(), slot, session('one', true));
    expect((await find(organizationId(), slot))!.isOver).toBe(true);
    await keep(organizationId(), slot, session('two'));
    expect(await find(organizationId(), slot)).toEqual(session('two'));
  });

  test('that was lost meanwhile has a due entry again', async () => {
    await keep(organizationId(), slot, session('one'));
    await forget(organizationId(), slot);
    await keep(organizationId(), slot, session('two'));
    expect(await dueInMs()).toBe(SYNC_LIMITS.keptSessionMs);
  });

  test('by another worker: it knows from the stored one when the sweeper looks', async () => {
    await keep(organizationId(), slot, session('one'));
    await postpone(organizationId(), slot, nowMs() + 600_000);
    slot = { login: slot.login, n: 0 };
    await find(organizationId(), slot);
    await keep(organizationId(), slot, session('two'));
    expect(await dueInMs()).toBe(600_000 + SYNC_LIMITS.keptSessionMs);
  });
});

test('a worker whose slot is over logs nobody out: the session belongs to the present holder of the slot', async () => {
  const { world, source } = scripted;
  const connection = await world.connect({ login: randomUUID() });
  source.script.beforePull = async () => {
    world.advance(SYNC_LIMITS.leaseMs);
    throw new SourceError('source.timeout', 'no answer in time');
  };
  const inputMetadata = { periods: ['2026-10'] };
  const run = await startRun(connection, { runId: randomUUID(), scopes: ['rcv'], inputMetadata, trigger: 'manual' });
  await world.drain();
  expect(source.counts).toMatchObject({ logins: 1, logouts: 0, openSessions: 1 });
  source.script.beforePull = null;
  await world.drain({ jump: true });
  expect((await runs.find(world.organizationId, connection.id, run.id))!.status).toBe('succeeded');
  expect(source.counts).toMatchObject({ logins: 1, logouts: 1, openSessions: 0 });
});
