/** Non-null assertions (`!`) that Biome finds in each folder of the source. A count may fall, never rise. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './code-files.ts';

const FOLDERS = ['shared', 'functions', 'infra', 'tools', 'dashboard/src'];

const MOST: Readonly<Record<string, number>> = { shared: 187, functions: 1, infra: 11, tools: 75, 'dashboard/src': 4 };

const count = (folder: string): number => {
  const biome = join(ROOT, 'node_modules/.bin/biome');
  const args = ['lint', '--only=style/noNonNullAssertion', '--max-diagnostics=none', '--reporter=json', folder];
  const report = execFileSync(biome, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return (JSON.parse(report) as { summary: { warnings: number } }).summary.warnings;
};

test.each(FOLDERS)('%s has no more non-null assertions than before', (folder) => {
  expect(count(folder)).toBeLessThanOrEqual(MOST[folder]!);
});
