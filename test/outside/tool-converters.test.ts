/** Libraries of others make functions of the published tools. Skipped where PyPI cannot be reached. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { TOOL_LIST } from '#shared/mcp/describe-tools.ts';
import { LISTED_TOOLS } from '#shared/mcp/listed-tool.ts';
import { installed } from '#tools/python/venv.ts';

const CLIENTS = join(import.meta.dirname, 'clients');
const ROOT = join(import.meta.dirname, '../..');

test('google-genai converts every tool', async ({ skip }) => {
  const { programs, reason } = await installed('.venv-converters', join(CLIENTS, 'requirements-converters.txt'));
  if (programs === undefined) return skip(reason);
  const args = [join(CLIENTS, 'convert_tools.py'), join(ROOT, TOOL_LIST)];
  const { stdout } = await promisify(execFile)(join(programs, 'python'), args);
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(LISTED_TOOLS.map(({ name }) => [name, null])));
});
