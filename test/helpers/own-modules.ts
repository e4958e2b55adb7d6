/**
 * Files of a project without isolation share a process, so that Node, the AWS SDK and Zod are loaded once. Our own
 * modules each file loads for itself, with its mocks and as new as in a process of its own; what the file put into the
 * environment is gone after the file.
 */
import { afterAll, vi } from 'vitest';

vi.resetModules();
// Stubs of the file before would be taken back at this file's first test, over what its hooks set.
vi.unstubAllEnvs();
const environment = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
