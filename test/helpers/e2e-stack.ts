/** The real local stack for the stories of one file, in this process, over a data folder of its own. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { synthesizeLocalStage } from '#infra/local/build.ts';
import { findSandboxes } from '#infra/local/sandboxes.ts';
import { seed } from '#infra/local/seed.ts';
import { type LocalStack, startStack } from '#infra/local/stack.ts';
import type { StackFile } from '#infra/local/stack-file.ts';
import { santiagoDay } from '#shared/values/dates.ts';
import { betrayed, betrayedBy } from './e2e-canaries.ts';
import { createDoors, type Doors } from './e2e-doors.ts';
import { createIntegrator, type Integrator } from './e2e-integrator.ts';

const SOURCES = join(import.meta.dirname, '../../shared/sources');
/** `stack.json` of a stack that runs already, such as a deployed one (infra/verify): its time cannot be moved. */
const ATTACHED = process.env.STACK_FILE;
const HOUR_MS = 3_600_000;
/** No story moves time further than this where it compares with the register of the day. */
const EVENING_HOURS = 4;

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'e2e-'));

export interface Stage {
  readonly stack: LocalStack;
  readonly api: Integrator;
  readonly doors: Doors;
  /** What must be nowhere in clear, besides what the stage knows itself. */
  readonly secrets: Set<string>;
}

/** The institution's register changes at midnight in Santiago: no story may have one in its middle. */
export const leaveEvening = async (doors: Pick<Doors, 'nowMs' | 'advance'>): Promise<void> => {
  const nowMs = await doors.nowMs();
  if (santiagoDay(nowMs) !== santiagoDay(nowMs + EVENING_HOURS * HOUR_MS)) await doors.advance(EVENING_HOURS * HOUR_MS);
};

/**
 * One stack for all tests of a file. At its end nothing secret may have been left in any place it ought not to be.
 * `beforehand` may be another for a story that needs the machine's own time.
 */
export const useStack = (
  environment: Record<string, string> = {},
  beforehand: (doors: Doors) => Promise<unknown> = leaveEvening,
): Stage => {
  const secrets = new Set<string>();
  let stack: LocalStack | undefined;
  let api: Integrator | undefined;
  let doors: Doors | undefined;

  beforeAll(async () => {
    if (ATTACHED) {
      const file = JSON.parse(readFileSync(ATTACHED, 'utf8')) as StackFile;
      api = createIntegrator(file);
      doors = createDoors(file);
      return;
    }
    stack = await startStack({
      assemblyFolder: synthesizeLocalStage(),
      dataFolder: temporaryFolder(),
      port: 0,
      sandboxes: findSandboxes(SOURCES, environment),
      environment,
    });
    const file = await seed(stack);
    api = createIntegrator(file);
    doors = createDoors(file);
    await beforehand(doors);
  });

  afterAll(async () => {
    if (ATTACHED && api) {
      // The next story finds the organization without endpoints.
      for (const { id } of await api.get('/webhooks')) await api.must(200, 'DELETE', `/webhooks/${id}`);
      return expect(betrayedBy(api, secrets)).toEqual([]);
    }
    if (!stack) return;
    const { dataFolder } = stack;
    try {
      await stack.close();
      if (api) expect(betrayed(dataFolder, api, secrets)).toEqual([]);
    } finally {
      rmSync(dataFolder, { recursive: true, force: true });
    }
  });

  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the stack is not up');
    return part;
  };
  return {
    secrets,
    get stack() {
      return started(stack);
    },
    get api() {
      return started(api);
    },
    get doors() {
      return started(doors);
    },
  };
};
