/** All programs of this checkout share the environments of Python packages: the stack, the proofs, their tests. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/helpers/e2e-child.ts';
import { until } from '#test/helpers/e2e-integrator.ts';
import { installed } from '#tools/python/venv.ts';

const LATER = 3;

test('programs that need an environment while another program builds it get the same complete one', async ({
  skip,
}) => {
  const folder = temporaryFolder();
  const requirements = join(folder, 'pinned.txt');
  writeFileSync(requirements, '# nothing to fetch\n');
  const environment = join(folder, 'environment');
  const first = installed(environment, requirements);
  await Promise.race([until('the first is under way', async () => existsSync(environment)), first]);
  const all = await Promise.all([first, ...Array.from({ length: LATER }, () => installed(environment, requirements))]);
  if (all.every(({ reason }) => reason?.includes('ENOENT'))) skip('no python3');
  for (const each of all) expect(each).toEqual({ programs: join(environment, 'bin') });
  expect(existsSync(join(environment, 'bin/pip'))).toBe(true);
});

test('an unavailable environment gives the reason in one line', async ({ skip }) => {
  const folder = temporaryFolder();
  const requirements = join(folder, 'pinned.txt');
  writeFileSync(requirements, '--no-index\nno-such-package==1.0\n');
  const { reason } = await installed(join(folder, 'environment'), requirements);
  if (reason?.includes('ENOENT')) skip('no python3');
  expect(reason).toMatch(/^Python 3\.10 or later with venv, and PyPI, are needed: ERROR: .*no-such-package/);
});
