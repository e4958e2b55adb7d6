import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { ENDPOINT_FUNCTIONS, listRoutes, PROTOCOL_FUNCTIONS } from '#infra/manifest.ts';
import { PROTOCOL_ENDPOINTS } from '#infra/protocol-endpoints.gen.ts';
import { WORKERS } from '#infra/workers.gen.ts';
import { LONG_FILES } from '#test/long-files.ts';
import { generated, generatedForAgents } from '#tools/gen.ts';
import { type CodeFile, codeFiles, places, ROOT } from './code-files.ts';

const LINES_MAX = 300;

const outside = (...patterns: RegExp[]): CodeFile[] =>
  codeFiles().filter(({ path }) => !patterns.some((pattern) => pattern.test(path)));

const TESTS = /^test\//;
/** Scripts that run on a machine, not in a function. */
const SCRIPTS = /^(?:tools\/|infra\/web\/build\.ts$)/;

/** The formatter may have joined a short list on one line. */
const unformatted = (text: string): string => text.replaceAll(/\s+/g, '').replaceAll(',]', ']');

const GENERATED = { ...generated(), ...(await generatedForAgents()) };

describe('tidy', () => {
  it('keeps every hand-written file short', () => {
    const long = outside(/\.gen\.ts$/).filter(({ lines }) => lines > LINES_MAX);
    expect(long.map(({ path, lines }) => `${path}: ${lines} lines`)).toEqual([]);
  });

  it('names no document that is not in the repository', () => {
    const here = new Set(globSync('{*,docs/**/*}.md', { cwd: ROOT }).map((path) => basename(path)));
    const named = codeFiles().flatMap(({ path }) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/(?<![\w.-])[a-z-]+\.md(?=[ ,:;)§.`]|$)/gm)].map(
        ([name]) => ({
          path,
          name,
        }),
      ),
    );
    expect(named.length).toBeGreaterThan(400);
    expect(named.filter(({ name }) => !here.has(name))).toEqual([]);
  });

  it('leaves out of `npm test` only files that are there', () => {
    const here = new Set(codeFiles().map(({ path }) => path));
    expect(LONG_FILES.filter((path) => !here.has(path))).toEqual([]);
    expect(new Set(LONG_FILES).size).toBe(LONG_FILES.length);
  });

  it('keeps limits in the limits.ts of their capability, and each is used', () => {
    // A source's wire and a scope's parameters are part of their own files.
    const elsewhere = outside(/^(?:test|infra|tools|dashboard)\//, /^shared\/(?:sources|scopes)\//, /\/limits\.ts$/);
    expect(places(/^export const [A-Z_]+_(?:MAX|MIN|SECONDS|MS)\b/gm, elsewhere)).toEqual([
      expect.stringContaining('shared/values/dates.ts'),
    ]);
    const files = codeFiles().filter(({ path }) => /^(?:shared|functions)\/\w+\/limits\.ts$/.test(path));
    expect(files.length).toBeGreaterThan(10);
    const names = files.flatMap(({ code }) => [...code.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name!));
    expect(names.length).toBeGreaterThan(150);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const code = outside(TESTS, /\/limits\.ts$/).map((file) => file.code);
    expect(names.filter((name) => !code.some((text) => new RegExp(`\\b${name}\\b`).test(text)))).toEqual([]);
  });

  it('restores every mocked client: the next file of the process has the same SDK', () => {
    const mocking = codeFiles().filter(({ path, code }) => TESTS.test(path) && /[=(] *mockAwsClient\(/.test(code));
    expect(mocking.length).toBeGreaterThan(5);
    expect(mocking.filter(({ code }) => !/\.restore\(\)/.test(code)).map(({ path }) => path)).toEqual([]);
    const unaided = codeFiles().filter(({ code }) => /\bmockClient\(/.test(code));
    expect(unaided.map(({ path }) => path)).toEqual(['test/fakes/aws-client.ts']);
  });

  it('removes temporary folders in the file that makes them', () => {
    // Its callers remove them, after the stack that works in them has ended.
    const ofCallers = ['test/helpers/e2e-child.ts'];
    const making = codeFiles().filter(({ code }) => /\bmkdtemp(?:Sync)?\(/.test(code));
    expect(making.length).toBeGreaterThan(20);
    const leaving = making.filter(({ code }) => !/\brm(?:Sync)?\(/.test(code)).map(({ path }) => path);
    expect(leaving).toEqual(ofCallers);
  });

  it('names files after what they are', () => {
    const paths = outside(TESTS).map(({ path }) => path);
    expect(paths.filter((path) => /(^|\/)(utils?|helpers?|common|misc)(\/|\.ts$)/.test(path))).toEqual([]);
    expect(codeFiles().filter(({ path }) => !/^[a-z0-9./-]+$/.test(path))).toEqual([]);
  });

  it('builds keys of the table only in shared/table/keys.ts and in due-, link- and listed-keys.ts', () => {
    expect(places(/\b[A-Z]{3,}#/g, outside(TESTS, /^shared\/table\/(?:due-|link-|listed-)?keys\.ts$/))).toEqual([]);
  });

  it('reads the environment only in shared/platform/env.ts', () => {
    expect(places(/\bprocess\s*\.\s*env\b/g, outside(TESTS, SCRIPTS, /^shared\/platform\/env\.ts$/))).toEqual([]);
  });

  it('names environment variables only in shared/platform/needs.ts', () => {
    const named = places(/\benv(?:Or|Optional)?\(['`][^)]*/g, outside(TESTS, SCRIPTS, /^shared\/platform\/env\.ts$/));
    expect(named.filter((place) => !/\$\{AWS_VARIABLES/.test(place))).toEqual([]);
  });

  it('reads the time only in shared/platform/clock.ts and dashboard/src/clock.ts', () => {
    const sources = outside(
      TESTS,
      /^(?:infra|tools)\//,
      /\/sandbox\//,
      /^(?:shared\/platform|dashboard\/src)\/clock\.ts$/,
    );
    expect(places(/\bDate\.now\(|\bnew Date\(\)|\bTemporal\.Now\b/g, sources)).toEqual([]);
  });

  it('imports zod as a namespace: the named import drags every locale along', () => {
    const wrong = codeFiles().flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier, statement }) => specifier === 'zod' && !/^import (type )?\* as z from/.test(statement))
        .map(({ line, statement }) => `${path}:${line} ${statement}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(GENERATED))('%s is what `npm run gen` writes', (path, text) => {
    expect(unformatted(readFileSync(join(ROOT, path), 'utf8'))).toBe(unformatted(text));
  });
});

describe('one name everywhere', () => {
  const contracts = globSync('functions/api/*/*/contract.ts', { cwd: ROOT });
  const routed = [...ENDPOINT_FUNCTIONS, ...PROTOCOL_FUNCTIONS];

  it('finds every endpoint by its folder', () => {
    const folders = contracts.map((path) => basename(dirname(path)));
    expect(folders.sort()).toEqual(routed.map(({ functionId }) => functionId).sort());
  });

  it('names a folder after the operation: verb and noun', () => {
    for (const { id } of [...ENDPOINTS, ...PROTOCOL_ENDPOINTS, ...WORKERS]) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    const workers = globSync('functions/workers/*/contract.ts', { cwd: ROOT });
    expect(workers.map((path) => basename(dirname(path))).sort()).toEqual(WORKERS.map(({ id }) => id).sort());
  });

  it('names a folder of endpoints after a resource of their paths', () => {
    const paths = new Map(
      routed.map((fn) => [fn.functionId, listRoutes(fn).flatMap(({ path }) => path.split('/'))] as const),
    );
    const resources = Map.groupBy(contracts, (contract) => basename(dirname(dirname(contract))));
    const misnamed = [...resources].filter(
      ([resource, inside]) =>
        resource !== 'system' && !inside.some((contract) => paths.get(basename(dirname(contract)))?.includes(resource)),
    );
    expect(misnamed.map(([resource]) => resource)).toEqual([]);
  });

  it('gives no path to two endpoints, and declares each parameter', () => {
    const routes = routed
      .flatMap(listRoutes)
      .map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(new Set(routes).size).toBe(routes.length);
    for (const { id, path, params } of ENDPOINTS) {
      const named = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
      expect(named.sort(), id).toEqual(Object.keys(params).sort());
    }
  });
});
