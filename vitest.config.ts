import { defineConfig } from 'vitest/config';

/** Milliseconds one test may take: none is slow by itself, the machine may be. */
const project = (name: string, testTimeout: number, hookTimeout = testTimeout, groupOrder = 0) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout, sequence: { groupOrder } },
});

export default defineConfig({
  test: {
    // Order must not matter; a failing one is repeated with --sequence.seed=<the number printed>.
    sequence: { shuffle: true },
    // `.ci/run` reads the counts.
    reporters: ['default', ['json', { outputFile: 'dist/test-results.json' }]],
    pool: 'forks',
    maxWorkers: 2,
    env: { TZ: 'UTC' },
    // Output of passing tests says nothing.
    silent: 'passed-only',
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      project('unit', 10_000),
      project('contract', 20_000),
      project('infra', 30_000),
      project('integration', 30_000, 60_000),
      // Last: whole stacks, which want both cores to themselves.
      project('e2e', 90_000, 120_000, 1),
    ],
  },
});
