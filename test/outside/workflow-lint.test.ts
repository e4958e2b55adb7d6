/** actionlint reads the workflow that deploys from GitHub; it needs Go, which builds it from the module proxy. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const LINTER = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';
const WORKFLOW = join(import.meta.dirname, '../../docs/ci/deploy.yml');

const lint = (text: string): Promise<{ code: number | string; told: string }> =>
  new Promise((resolve) => {
    const child = execFile('go', ['run', LINTER, '-no-color', '-'], (error, out, told) =>
      resolve({ code: error?.code ?? 0, told: out + told }),
    );
    child.stdin!.on('error', () => {});
    child.stdin!.end(text);
  });

test('actionlint accepts the workflow, and finds a fault in a broken copy', async ({ skip }) => {
  const workflow = readFileSync(WORKFLOW, 'utf8');
  const broken = await lint(workflow.replace('runs-on: ubuntu-24.04', 'runs-on: ubuntu-6.06'));
  if (!broken.told.includes('ubuntu-6.06')) skip(`actionlint cannot be run: ${broken.told.split('\n')[0]}`);
  expect(broken.code).not.toBe(0);
  expect(await lint(workflow)).toEqual({ code: 0, told: '' });
});
