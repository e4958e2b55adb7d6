/** The table of programs in docs/mcp-conformance.md: its last run had the versions that are pinned now, and all passed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readVersion } from '#tools/programs/install-program.ts';
import { PROGRAMS } from '#tools/programs/programs.ts';
import { withResults } from '#tools/programs/results-page.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/mcp-conformance.md'), 'utf8');

test('the last result is of every program in its pinned version', () => {
  const rows = page.split('\n## Programs of others\n')[1]!.matchAll(/^\| `(.+?)` \| (\S+) \| .+ \| (\S.*?) \|$/gm);
  expect([...rows].map(([, ...cells]) => cells)).toEqual(
    PROGRAMS.map((program) => [program.name, readVersion(program), 'passed']),
  );
});

test('new results replace the previous ones and nothing else', () => {
  const result = { name: 'x', version: '1', does: 'calls', outcome: 'passed' };
  const once = withResults('# Page\n\n## Part\n\ntext\n', [{ ...result, outcome: 'FAILED: why' }], '2026-01-01');
  const twice = withResults(once, [result], '2026-01-02');
  expect(twice).toMatch(/^# Page\n\n## Part\n\ntext\n\n## Programs of others\n/);
  expect(twice).toContain('| `x` | 1 | calls | passed |');
  expect(twice).not.toMatch(/FAILED|2026-01-01/);
});
