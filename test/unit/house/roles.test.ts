/**
 * The suffix of a file states its role: `.rules.ts` is pure, `.store.ts` uses the table, `.client.ts` other services of
 * AWS.
 */
import { describe, expect, it } from 'vitest';
import { type CodeFile, codeFiles, type Import, importsOf, places } from './code-files.ts';

const PURE = /^(?:zod|uuid|big\.js|temporal-polyfill|node:crypto)$/;
/** Pure modules without such a suffix. */
const PURE_FILES =
  /\.rules\.ts$|^shared\/[a-z-]+\/limits\.ts$|^shared\/(?:values|scopes)\/|^shared\/rows\/item\/(?:row-keys|page-index-codec)\.ts$/;

/** `path imports target` for each import of a rule that is not pure itself. */
const impureRules = (files: readonly CodeFile[]): string[] =>
  files
    .filter(({ path }) => path.endsWith('.rules.ts'))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ file, specifier }) => !(file === null ? PURE.test(specifier) : PURE_FILES.test(file)))
        .map(({ specifier }) => `${path} imports ${specifier}`),
    );

const TABLE = 'shared/table/table.ts';
/** Both commit transactions whose parts come from stores. */
const COMMITTERS = ['shared/sync/apply-resolution.ts', 'shared/sync/login/wake-waiters.ts'];

const tableUsers = (files: readonly CodeFile[]): string[] =>
  files
    .filter(({ path }) => /^(?:shared|functions)\//.test(path) && !path.startsWith('shared/table/'))
    .filter(({ imports }) => imports.some(({ file, isType }) => file === TABLE && !isType))
    .map(({ path }) => path)
    .filter((path) => !path.endsWith('.store.ts') && !COMMITTERS.includes(path));

/** The compiler removes types. */
const speaksToAws = ({ specifier, file, isType }: Import): boolean =>
  !isType && (/^@(?:aws-sdk|aws-crypto|smithy)\//.test(specifier) || file === 'shared/platform/object-client.ts');

const cloudUsers = (files: readonly CodeFile[]): string[] =>
  files
    .filter(({ path }) => /^(?:shared|functions)\//.test(path))
    .filter(({ imports }) => imports.some(speaksToAws))
    .map(({ path }) => path)
    .filter((path) => !/\.(?:store|client)\.ts$|^shared\/(?:platform|table|messaging)\//.test(path));

const file = (path: string, code: string): CodeFile => ({ path, lines: 1, code, imports: importsOf(code, path) });

describe('a suffix is a role', () => {
  it('rules are pure', () => {
    expect(codeFiles().filter(({ path }) => path.endsWith('.rules.ts')).length).toBeGreaterThan(12);
    expect(impureRules(codeFiles())).toEqual([]);
    expect(
      impureRules([file('shared/sync/x.rules.ts', "import { nowMs } from '#shared/platform/clock.ts';")]),
    ).toHaveLength(1);
  });

  it('only stores touch the table', () => {
    expect(codeFiles().filter(({ path }) => path.endsWith('.store.ts')).length).toBeGreaterThan(30);
    expect(tableUsers(codeFiles())).toEqual([]);
    expect(places(/^export \*.*\btable\.ts'/gm, codeFiles())).toEqual([]);
    expect(tableUsers([file('shared/sync/x.ts', `import * as table from '#${TABLE}';`)])).toHaveLength(1);
    expect(tableUsers([file('shared/sync/x.ts', `import type * as table from '#${TABLE}';`)])).toEqual([]);
  });

  it('only stores, clients, the platform and queues call AWS', () => {
    expect(cloudUsers(codeFiles())).toEqual([]);
    for (const module of ['@aws-sdk/client-s3', '@smithy/types', '#shared/platform/object-client.ts'])
      expect(cloudUsers([file('shared/sync/x.ts', `import { S3Client } from '${module}';`)])).toHaveLength(1);
  });
});
