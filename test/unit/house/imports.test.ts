import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CodeFile, codeFiles, importsOf, ROOT, withoutComments } from './code-files.ts';
import { importCircles } from './import-circles.ts';
import { brokenRules } from './import-rules.ts';

const file = (path: string, text: string): CodeFile => {
  const code = withoutComments(text);
  return { path, lines: 1, code, imports: importsOf(code, path) };
};

const byPath = () => new Map(codeFiles().map((each) => [each.path, each]));

/** All modules that loading `path` loads: a contract must not reach the SDK through a permitted module. */
const loadedBy = (path: string): { files: Set<string>; packages: Set<string> } => {
  const files = new Set([path]);
  const packages = new Set<string>();
  const known = byPath();
  for (const each of files) {
    for (const { file: target, specifier, isType } of known.get(each)?.imports ?? []) {
      if (isType) continue;
      if (target === null) packages.add(specifier);
      else files.add(target);
    }
  }
  return { files, packages };
};

describe('import rules', () => {
  it('hold in every file', () => {
    expect(codeFiles().length).toBeGreaterThan(1_200);
    expect(codeFiles().flatMap(({ imports }) => imports).length).toBeGreaterThan(6_000);
    expect(brokenRules(codeFiles())).toEqual([]);
  });

  it('hold for all a contract loads: no SDK, no middy, no environment, no table', () => {
    const contracts = codeFiles().filter(({ path }) => /^functions\/.*\/contract\.ts$/.test(path));
    expect(contracts.length).toBeGreaterThan(4);
    for (const { path } of contracts) {
      const { files, packages } = loadedBy(path);
      expect(
        [...packages].filter((name) => /^@(aws|middy|smithy)/.test(name)),
        path,
      ).toEqual([]);
      const never =
        /^shared\/(table\/(?!limits\.ts)|.*\.store\.ts$|platform\/env\.ts|sources\/[^/]+\/source\.ts)|\/handler\.ts$/;
      expect(
        [...files].filter((name) => never.test(name)),
        path,
      ).toEqual([]);
    }
  });

  it('leave no circle, types included', () => {
    expect(importCircles(codeFiles())).toEqual([]);
  });

  it('find a circle of types, over several files, and of a single file', () => {
    const planted = [
      file('shared/rows/a.ts', "import type { B } from './b.ts';"),
      file('shared/rows/b.ts', "export { C } from './c.ts';"),
      file('shared/rows/c.ts', "import { A } from '#shared/rows/a.ts';\nimport './d.ts';"),
      file('shared/rows/d.ts', "import { D } from './d.ts';"),
      file('shared/rows/e.ts', "import { A } from './a.ts';"),
    ];
    expect(importCircles(planted)).toEqual([
      ['shared/rows/d.ts'],
      ['shared/rows/a.ts', 'shared/rows/b.ts', 'shared/rows/c.ts'],
    ]);
  });

  it('name only files that exist', () => {
    const missing = codeFiles().flatMap(({ path, imports }) =>
      imports
        .filter(({ file: target }) => /\.tsx?$/.test(target ?? '') && !existsSync(join(ROOT, target!)))
        .map(({ specifier, line }) => `${path}:${line} ${specifier}`),
    );
    expect(missing).toEqual([]);
  });

  it.each([
    ['shared/values/money.ts', "import { get } from '#shared/table/table.ts';"],
    ['shared/values/money.ts', "import { readFileSync } from 'node:fs';"],
    ['shared/scopes/tax-rcv.ts', "import { source } from '#shared/sources/tax/source.ts';"],
    ['shared/sources/tax/client.ts', "import { login } from '../bankone/client.ts';"],
    ['shared/sources/tax/client.ts', "const s3 = await import('@aws-sdk/client-s3');"],
    ['shared/sources/tax/source.ts', "import { rows } from './sandbox/rows.ts';"],
    ['shared/sync/run/run.store.ts', "import { ApiError } from '#shared/http/response/errors.ts';"],
    ['shared/http/list.ts', "import { source } from '#shared/sources/tax/source.ts';"],
    ['shared/platform/ids.ts', "import { QUEUES } from '#shared/messaging/queues.ts';"],
    ['functions/api/webhooks/create-webhook/contract.ts', "import { env } from '#shared/platform/env.ts';"],
    ['functions/api/webhooks/create-webhook/handler.ts', "import { x } from '../list-webhooks/handler.ts';"],
    ['functions/api/webhooks/create-webhook/handler.ts', "import {\n  SQSClient,\n} from '@aws-sdk/client-sqs';"],
    ['functions/workers/sweep/handler.ts', "import { FUNCTIONS } from '#infra/manifest.ts';"],
    ['infra/stacks/api-stack.ts', "export { handler } from '#functions/workers/sweep/handler.ts';"],
    ['tools/local/start.ts', "import '#functions/workers/sweep/handler.ts';"],
  ])('break on %s: %s', (path, text) => {
    const [broken, ...more] = brokenRules([file(path, `// line one\n${text}\n`)]);
    expect(more).toEqual([]);
    expect(broken).toMatch(/^\[.+\] /);
    expect(broken).toContain(`${path}:2 imports`);
  });

  it.each([
    ['functions/workers/sync-scope/handler.ts', "import { source } from '#source';"],
    ['shared/sync/run/run.store.ts', "import type { RawAnswer } from '#shared/sources/source.ts';"],
    ['shared/values/money.ts', "// import { get } from '#shared/table/table.ts';"],
    ['shared/values/money.ts', "/*\nimport { get } from '#shared/table/table.ts';\n*/"],
  ])('let %s: %s', (path, text) => {
    expect(brokenRules([file(path, text)])).toEqual([]);
  });
});
