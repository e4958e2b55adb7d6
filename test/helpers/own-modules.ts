/**
 * Files of a project without isolation share a process, so that Node, the AWS SDK and Zod are loaded once. Each file
 * still loads this repository's modules again, with its mocks, as in a separate process; its changes to the environment
 * are undone after the file.
 */
import { afterAll, vi } from 'vitest';

vi.resetModules();
// Otherwise, vitest would restore the stubs of the previous file at this file's first test, over the values that its
// hooks set.
vi.unstubAllEnvs();
const environment = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
