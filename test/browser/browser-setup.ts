/** Starts the shared stack before the first story in a browser; without Chromium it prints one line. */
import type { TestProject } from 'vitest/node';
import { setup as startStack } from '#test/helpers/e2e-shared.ts';
import { CHROMIUM } from './chromium.ts';

export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (CHROMIUM !== null) return startStack(project);
  const message = 'no Chromium (apt-get install chromium, or CHROMIUM_PATH)';
  // CI must not pass by skipping these tests.
  if (process.env.CI === 'true') throw new Error(message);
  process.stdout.write(`browser tests are skipped: ${message}\n`);
  return undefined;
};
