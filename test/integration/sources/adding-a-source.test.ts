/**
 * Follows docs/adding-a-source.md to the letter: the tiny source's folders are copied into a copy of the repository,
 * `npm run gen` runs there, and then the source is listed, connected, synchronized, read and deployable. Nothing else
 * is changed.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IS_WHOLE } from '#test/helpers/effort.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TINY = join(import.meta.dirname, 'tiny-source');
const COPIED = [
  'shared',
  'functions',
  'infra',
  'tools',
  'test/fakes',
  'test/helpers',
  'test/faults',
  'dashboard',
  'docs',
  'CHANGELOG.md',
  'package.json',
  'package-lock.json',
];
const TIMEOUT_MS = 60_000;

let copy: string;

const node = (script: string): string =>
  execFileSync(process.execPath, [script], { cwd: copy, encoding: 'utf8', timeout: TIMEOUT_MS, stdio: 'pipe' });

beforeAll(() => {
  if (!IS_WHOLE) return;
  copy = mkdtempSync(join(tmpdir(), 'adding-a-source-'));
  mkdirSync(join(copy, 'test'));
  for (const path of COPIED)
    cpSync(join(ROOT, path), join(copy, path), {
      recursive: true,
      filter: (from) => !from.endsWith('/node_modules'),
    });
  for (const modules of ['node_modules', 'docs/examples/node_modules'])
    symlinkSync(join(ROOT, modules), join(copy, modules));
  for (const folder of ['shared', 'functions']) cpSync(join(TINY, folder), join(copy, folder), { recursive: true });
  cpSync(join(TINY, 'prove.ts'), join(copy, 'prove.ts'));
});
afterAll(() => IS_WHOLE && rmSync(copy, { recursive: true }));

// Only in CI, because it generates and bundles in a copy of the repository.
test.runIf(IS_WHOLE)(
  'a source is its folder, its scope and two endpoint folders; everything else follows',
  {
    timeout: 2 * TIMEOUT_MS,
  },
  () => {
    node('tools/gen.ts');
    const line = node('prove.ts')
      .split('\n')
      .find((each) => each.startsWith('PROOF '));
    const functions = ['list-tinybank-movement-periods', 'list-tinybank-movements', 'sync-tinybank-movements'];
    const month = { count: 3, sums: { amount: '1147.6' } };
    expect(JSON.parse(line?.slice('PROOF '.length) ?? 'null')).toEqual({
      manifest: 'Banco Chiquito',
      functions,
      bundled: functions,
      api: { listed: ['movements'], created: 201, refused: 422 },
      works: {
        status: 'succeeded',
        errorCode: null,
        logins: 1,
        sessions: 0,
        books: ['2026-10', '2026-11'].map((period) => [period, { ours: month, theirs: month }]),
      },
      refused: {
        status: 'failed',
        errorCode: 'source.invalid_credentials',
        logins: 1,
        sessions: 0,
        books: ['2026-10', '2026-11'].map((period) => [
          period,
          { ours: { count: 0, sums: { amount: '0' } }, theirs: month },
        ]),
      },
    });
    expect(readFileSync(join(copy, 'docs/openapi.json'), 'utf8')).toContain('/connections/{id}/tinybank-movements');
  },
);
