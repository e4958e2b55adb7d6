/** The engine over a source that does what a test says: one of each for all tests of a file, as new before each. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { type ScriptedSource, scriptedSource } from '#test/fakes/scripted-source.ts';
import { type EngineWorld, startEngine } from '#test/helpers/engine.ts';

export interface ScriptedEngine {
  readonly world: EngineWorld;
  readonly source: ScriptedSource;
}

/** Call at the top of a test file; there once its tests begin. */
export const useScriptedEngine = (): ScriptedEngine => {
  const source = scriptedSource();
  let world: EngineWorld | undefined;
  beforeAll(async () => {
    world = await startEngine(source, taxRcv);
  });
  afterAll(() => world?.stop());
  beforeEach(() => {
    source.reset();
    world?.dieAt(Number.POSITIVE_INFINITY);
    world?.hurry(0);
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
