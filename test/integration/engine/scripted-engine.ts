/** The engine over a scripted source: one world for all tests of a file, reset before each test. */

import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { EVENT_TYPES } from '#shared/values/event-types.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import { newEndpoint } from '#shared/webhooks/endpoint.rules.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { type ScriptedSource, scriptedSource } from '#test/fakes/scripted-source.ts';
import { type EngineWorld, startEngine } from '#test/helpers/engine.ts';

export interface ScriptedEngine {
  readonly world: EngineWorld;
  readonly source: ScriptedSource;
}

/** Subscribes an endpoint to every end of a run; the returned function gives the number of events so far. */
export const countEvents = async ({ organizationId }: EngineWorld): Promise<() => Promise<number>> => {
  const made = { organizationId, id: newId(), url: 'https://example.com/', createdAt: nowIso() };
  await webhooks.create(newEndpoint({ ...made, eventTypes: [...EVENT_TYPES] }), new Uint8Array([1]), BY_SERVICE);
  return async () => (await deliveries.listNewest(organizationId, made.id)).length;
};

/**
 * Call it at the top of a test file; engine and source exist once the tests begin.
 * @param start starts the table; see `startEngineTable`
 */
export const useScriptedEngine = (start?: Parameters<typeof startEngine>[3]): ScriptedEngine => {
  const source = scriptedSource();
  let world: EngineWorld | undefined;
  beforeAll(async () => {
    world = await startEngine(source, taxRcv, [], start);
  });
  afterAll(async () => {
    // Vitest restores spies again before the next test, perhaps in the next file, and would undo what `stop` has
    // restored. So restore them first.
    vi.restoreAllMocks();
    await world?.stop();
  });
  beforeEach(() => {
    source.reset();
    world?.dieAt(Number.POSITIVE_INFINITY);
    world?.hurry(0);
    world?.refuse(null);
    if (world) world.messages.length = 0;
  });
  return {
    source,
    get world() {
      if (!world) throw new Error('the engine is not up');
      return world;
    },
  };
};
