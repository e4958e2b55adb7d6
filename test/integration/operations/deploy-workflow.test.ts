/**
 * The scripts of the GitHub workflow that fetch and store the last assembly. A program `aws` on the PATH, over a folder,
 * plays the bucket.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Kept, openAssemblyFolder } from '#tools/operations/kept-assembly.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WORKFLOW = readFileSync(join(ROOT, 'docs/ci/deploy.yml'), 'utf8');

const scriptOf = (step: string): string => {
  const [, script] =
    new RegExp(`- name: ${step}\\n(?: {8}.*\\n)*? {8}run: \\|\\n((?: {10}.*\\n)+)`).exec(WORKFLOW) ?? [];
  if (script === undefined) throw new Error(`the workflow has no script "${step}"`);
  return script.replaceAll(/^ {10}/gm, '');
};
const FETCH = scriptOf('Fetch the assembly of the last deploy');
const STORE = scriptOf('Store the assembly of this deploy');

const AWS = `#!/usr/bin/env bash
set -eu
[ -n "\${REFUSED:-}" ] && { echo AccessDenied >&2; exit 254; }
place() { echo "$BUCKET/\${1#s3://assemblies/}"; }
case "$1 $2" in
  's3api list-objects-v2')
    # The AWS CLI joins pages and then prints no count (seen with 1.45.11).
    [[ " $* " == *' --no-paginate '* ]] || { echo None; exit; }
    [ -f "$BUCKET/$6" ] && echo 1 || echo 0 ;;
  's3 cp') case "$4" in
    s3://*) cp "$(place "$4")" "$5" ;;
    *) mkdir -p "$(dirname "$(place "$5")")"; cp "$4" "$(place "$5")" ;;
  esac ;;
  *) echo "unknown: $*" >&2; exit 2 ;;
esac
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'workflow-'));
  for (const name of ['bin', 'bucket', 'one', 'two']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'bin/aws'), AWS);
  chmodSync(join(folder, 'bin/aws'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a script as GitHub does, in the checkout of one runner. Resolves with its exit code. */
const run = (script: string, runner: string, more: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve) => {
    const env = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      BUCKET: join(folder, 'bucket'),
      RUNNER_TEMP: folder,
      STAGE: 'prod',
      ASSEMBLIES: 'assemblies',
      ...more,
    };
    execFile('bash', ['-eo', 'pipefail', '-c', script], { cwd: join(folder, runner), env }, (error) =>
      resolve(error === null ? 0 : Number(error.code)),
    );
  });

const assemblyOf = (runner: string) => openAssemblyFolder(join(folder, runner, '.deployed/prod'));
const RECORD: Kept = { commit: 'c'.repeat(40), isCommitted: true, context: [], deployedAt: 'then', lastChanges: {} };

const deployFrom = (runner: string, record: Kept): void => {
  const assembly = assemblyOf(runner);
  mkdirSync(assembly.next, { recursive: true });
  writeFileSync(join(assembly.next, 'manifest.json'), record.commit);
  assembly.keepNext(record);
};

test('the first deploy finds no assembly, and another runner finds that of the last deploy', async () => {
  expect(await run(FETCH, 'one')).toBe(0);
  expect(assemblyOf('one').readKept()).toBeUndefined();
  deployFrom('one', RECORD);
  expect(await run(STORE, 'one')).toBe(0);
  expect(await run(FETCH, 'two')).toBe(0);
  expect(assemblyOf('two').readKept()).toEqual(RECORD);
  expect(readFileSync(join(assemblyOf('two').kept, 'manifest.json'), 'utf8')).toBe(RECORD.commit);

  const later = { ...RECORD, commit: 'd'.repeat(40) };
  deployFrom('two', later);
  expect(await run(STORE, 'two')).toBe(0);
  rmSync(join(folder, 'one/.deployed'), { recursive: true });
  expect(await run(FETCH, 'one')).toBe(0);
  expect(assemblyOf('one').readKept()).toEqual(later);
});

test('a first deploy that failed stores nothing', async () => {
  expect(await run(FETCH, 'one')).toBe(0);
  expect(await run(STORE, 'one')).toBe(0);
  expect(existsSync(join(folder, 'bucket/prod'))).toBe(false);
});

test('a bucket that refuses ends the job before the deploy, instead of a deploy without a rollback', async () => {
  expect(await run(FETCH, 'one', { REFUSED: 'yes' })).not.toBe(0);
  deployFrom('one', RECORD);
  expect(await run(STORE, 'one', { REFUSED: 'yes' })).not.toBe(0);
});

test('the workflow runs only scripts that exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  const used = [...WORKFLOW.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!);
  expect(used).toEqual(['deploy:stage']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...used, 'test']));
});
