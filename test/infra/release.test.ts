/** `npm run release` in a copy of the repository, with a planted import of the latest release that no stack exports. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_WHOLE } from '#test/helpers/effort.ts';
import { runProgram } from '#tools/clients/run-program.ts';

const ROOT = join(import.meta.dirname, '../..');
const COPIED = ['functions', 'infra', 'shared', 'tools', 'dashboard/public', 'docs/released', 'docs/openapi.json'];
const FILES = ['CHANGELOG.md', 'cdk.json', 'package.json', 'tsconfig.json'];
const IMPORTS = 'tools/released/imports.json';
const GONE = 'data:ExportsOutputRefGone';
const AUTHOR = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];

// Locally only test/infra/exports.test.ts checks this, because the copy takes seconds.
describe.runIf(IS_WHOLE)('a release', () => {
  let copy: string;
  const git = (...args: string[]) => runProgram({ program: 'git', args: [...AUTHOR, ...args], cwd: copy });
  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), 'release-'));
    // Proofs that ran have packages of their own.
    const filter = (path: string) => !path.endsWith('/node_modules');
    for (const path of [...COPIED, ...FILES]) cpSync(join(ROOT, path), join(copy, path), { recursive: true, filter });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const imports = JSON.parse(readFileSync(join(copy, IMPORTS), 'utf8')) as string[];
    writeFileSync(join(copy, IMPORTS), JSON.stringify([...imports, GONE]));
    await git('init', '--quiet');
    await git('add', '--all');
    await git('commit', '--quiet', '-m', 'a version');
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it('refuses to forget an import of the latest release that nothing exports any more', async () => {
    const args = ['tools/release/release.ts', '9.9.9'];
    const released = runProgram({ program: process.execPath, args, cwd: copy });
    await expect(released).rejects.toThrow(`the latest release imports ${GONE}, which is not exported`);
    expect(readFileSync(join(copy, IMPORTS), 'utf8')).toContain(GONE);
    expect(await git('log', '--format=%s')).toBe('a version\n');
    expect(await git('status', '--porcelain')).toBe('');
  });
});
