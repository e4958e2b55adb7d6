/** Before the first story in a browser: bundles, assembly and page are made; without Chromium one line says so. */
import { setup as build } from '#test/helpers/e2e-build.ts';
import { CHROMIUM } from './chromium.ts';

export const setup = async (): Promise<void> => {
  if (CHROMIUM !== null) return build();
  const message = 'no Chromium (apt-get install chromium, or CHROMIUM_PATH)';
  // Continuous integration must not pass by leaving out what it is for.
  if (process.env.CI === 'true') throw new Error(message);
  process.stdout.write(`browser tests are skipped: ${message}\n`);
};
