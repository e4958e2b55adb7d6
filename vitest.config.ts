import { join } from 'node:path';
import { configDefaults, defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { FileOrder } from './test/helpers/file-order.ts';
import { LONG_FILES } from './test/long-files.ts';

type ProjectOptions = NonNullable<UserWorkspaceConfig['test']>;

/** Timeouts are there for a test that hangs, not for a machine that is slow. */
const project = (name: string, testTimeoutMs: number, more: ProjectOptions = {}) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: testTimeoutMs,
    hookTimeout: 2 * testTimeoutMs,
    ...more,
    setupFiles: ['test/helpers/quiet-output.ts', ...(more.setupFiles ?? [])],
  },
});

/** A worker runs one file after another. Each file loads our modules again (test/helpers/own-modules.ts), but not packages. */
const SHARED_PROCESS: ProjectOptions = { isolate: false, setupFiles: ['test/helpers/own-modules.ts'] };
const WITH_TABLES: ProjectOptions = { globalSetup: 'test/helpers/table-server.ts' };

// Workers and the programs that tests start load packages from it.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'dist/node-compile-cache');

export default defineConfig(({ mode }) => ({
  test: {
    exclude: mode === 'quick' ? [...configDefaults.exclude, ...LONG_FILES] : configDefaults.exclude,
    // The order must not matter. A failing order is repeated with --sequence.seed=<the number printed>.
    sequence: { shuffle: true, sequencer: FileOrder },
    // `.ci/run` reads the counts.
    reporters: ['default', ['json', { outputFile: 'dist/test-results.json' }]],
    pool: 'forks',
    // Measured on two cores: each more worker loads every module again.
    maxWorkers: 2,
    // Only tests of metrics switch them on.
    env: { TZ: 'UTC', POWERTOOLS_METRICS_DISABLED: 'true' },
    // A shared stack is ended and searched for secrets.
    teardownTimeout: 60_000,
    // The output of passing tests is not needed.
    silent: 'passed-only',
    // One line for each file.
    slowTestThreshold: 10_000,
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      project('unit', 30_000, SHARED_PROCESS),
      project('contract', 60_000, { ...SHARED_PROCESS, ...WITH_TABLES }),
      // Pure functions of the stages: loading the CDK and synthesizing once serves every file of a worker.
      project('infra', 60_000, { isolate: false }),
      project('integration', 90_000, { ...SHARED_PROCESS, ...WITH_TABLES }),
      // What makes one machine of the template, in processes of their own: `npm run test:full`.
      project('local', 90_000, SHARED_PROCESS),
      // The main stories, each over a stack of its own.
      project('stories', 180_000, { globalSetup: 'test/helpers/e2e-build.ts' }),
      // The other stories: `npm run test:full`. Their files share a stack, one after the other.
      project('e2e', 180_000, {
        sequence: { groupOrder: 1 },
        globalSetup: 'test/helpers/e2e-shared.ts',
        maxWorkers: 1,
      }),
      // The dashboard in Chromium over a stack; skipped on a machine without it, with a line that says so.
      project('browser', 240_000, {
        sequence: { groupOrder: 3 },
        globalSetup: 'test/browser/browser-setup.ts',
        maxWorkers: 1,
        isolate: false,
        expect: { poll: { timeout: 60_000 } },
      }),
      // What needs other runtimes or registries: `npm run test:outside`.
      project('outside', 600_000, {
        sequence: { groupOrder: 4 },
        globalSetup: 'test/helpers/e2e-build.ts',
        // Two files take most of the time, and wait for registries and other programs.
        maxWorkers: 3,
      }),
      // Over a deployed stack: `npm run verify:deploy` runs them, and names its file.
      project('deployed', 180_000, { sequence: { groupOrder: 1 } }),
      // Stories of a minute and more: `npm run test:slow`.
      project('slow', 180_000, { sequence: { groupOrder: 2 }, globalSetup: 'test/helpers/e2e-build.ts' }),
    ],
  },
}));
