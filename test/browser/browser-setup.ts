/** Before the first story in a browser: the stack of all of them; without Chromium one line says so. */
import type { TestProject } from 'vitest/node';
import { setup as startStack } from '#test/helpers/e2e-shared.ts';
import { CHROMIUM } from './chromium.ts';

export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (CHROMIUM !== null) return startStack(project);
  const message = 'no Chromium (apt-get install chromium, or CHROMIUM_PATH)';
  // Continuous integration must not pass by leaving out what it is for.
  if (process.env.CI === 'true') throw new Error(message);
  process.stdout.write(`browser tests are skipped: ${message}\n`);
  return undefined;
};
