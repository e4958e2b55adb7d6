/** Reads the output of `npm run bundle` in dist (pretest runs it); builds nothing itself. */

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { BUNDLE_DIR } from '#infra/app.ts';
import { type BundleMeta, bundle, META_FILE } from '#infra/bundle.ts';
import {
  FUNCTIONS,
  type FunctionManifest,
  PUBLISH_FUNCTION,
  SANDBOX_FUNCTION,
  STACK_FUNCTIONS,
  variantScope,
} from '#infra/manifest.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { sampled } from '#test/helpers/effort.ts';

let meta: BundleMeta | undefined;
const readMeta = (): BundleMeta => {
  if (meta) return meta;
  if (!existsSync(META_FILE)) throw new Error('nothing is bundled: run `npm run bundle`');
  meta = JSON.parse(readFileSync(META_FILE, 'utf8')) as BundleMeta;
  return meta;
};

/**
 * Cold starts grow with every kilobyte. The limit of endpoints was 500,000 (issue 6) until throttling
 * and sessions of other hosts were handled in each, and the end of a run read the coverage of all scopes and noted its connection; lists of
 * connections also carry the client of S3. That of workers is a tenth above the largest worker when this test was written.
 */
const bytesMax = (fn: FunctionManifest): number => {
  const isEncrypting = fn.contract.needs.some((need) => need.includes('-secrets:'));
  const isListing = fn.contract.needs.includes('connection-snapshots');
  if (fn.kind === 'endpoint') return isEncrypting ? 1_300_000 : isListing ? 680_000 : 523_000;
  // Includes the SDK of the MCP protocol.
  if (fn.kind === 'protocol') return fn.functionId.endsWith('-mcp') ? 900_000 : 500_000;
  return fn.variant === null ? 1_650_000 : 2_500_000;
};

describe.each(FUNCTIONS)('bundle of $functionId', (fn) => {
  it('stays within its budget and carries nothing that does not run on AWS', () => {
    const { bytes, inputs } = readMeta().functions[fn.functionId]!;
    // The description and its renderer are data: Node reads them in a millisecond, while code of that size takes a
    // hundred.
    const data = Object.keys(inputs).filter((path) => path.endsWith('.json'));
    const dataBytes = data.reduce((sum, path) => sum + inputs[path]!, 0);
    expect(bytes - dataBytes).toBeLessThan(bytesMax(fn));
    const never =
      /zod\/.*\/locales\/(?!en\.)|\/sandbox\/|node_modules\/(fastify|fauxqs|aws-cdk-lib)\/|^(infra|tools|test)\//;
    const carried = Object.keys(inputs).filter((path) => inputs[path]! > 0 && never.test(path));
    expect(carried.filter((path) => !path.endsWith('.gen.ts'))).toEqual([]);
    // Of zod's JSON Schema writer (18 kB), only the part that computes the bounds of a schema remains.
    const schemaWriter = Object.keys(inputs).filter((path) => /zod\/v4\/core\/.*json-schema/.test(path));
    expect(schemaWriter.reduce((sum, path) => sum + inputs[path]!, 0)).toBeLessThan(3_000);
  });
});

it('carries the simulated institutions in their own function, within a budget', () => {
  const { bytes, inputs } = readMeta().functions[SANDBOX_FUNCTION.functionId]!;
  expect(Object.keys(inputs).filter((path) => path.endsWith('/sandbox/server.ts')).length).toBeGreaterThan(4);
  expect(bytes).toBeLessThan(1_400_000);
});

it('copies the files of the dashboard with little more than the client of S3', () => {
  const { bytes, inputs } = readMeta().functions[PUBLISH_FUNCTION.functionId]!;
  expect(bytes).toBeLessThan(500_000);
  const clients = Object.keys(inputs).map((path) => /@aws-sdk\/(client-\w+)\//.exec(path)?.[1]);
  expect(new Set(clients.filter((name) => name !== undefined))).toEqual(new Set(['client-s3']));
});

/** In a separate Node process, as on AWS: the test runner would transform every bundle first. */
const LOAD = `
  const broken = [];
  for (const [id, file, scope] of JSON.parse(process.argv[1])) {
    process.env.${VARIABLES.scope} = scope;
    try {
      if (typeof (await import(file)).handler !== 'function') broken.push(id + ': exports no handler');
    } catch (error) {
      broken.push(id + ': ' + error.message);
    }
  }
  console.log(JSON.stringify(broken));
`;

it('loads bundles and finds its handler', async () => {
  const scopeOf = (fn: FunctionManifest): string =>
    fn.kind === 'worker' && fn.variant !== null ? variantScope(fn.variant) : '';
  const scopes = new Map(FUNCTIONS.map((fn) => [fn.functionId, scopeOf(fn)]));
  const bundles = sampled([...FUNCTIONS, ...STACK_FUNCTIONS], 5).map(({ functionId }) => [
    functionId,
    pathToFileURL(join(BUNDLE_DIR, functionId, 'index.mjs')).href,
    scopes.get(functionId) ?? '',
  ]);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', LOAD, JSON.stringify(bundles)],
    { env: { AWS_REGION: 'us-east-1' } },
  );
  expect(JSON.parse(stdout)).toEqual([]);
}, 60_000);

it('refuses to bundle a contract without handler, and names the file', async () => {
  const [first] = FUNCTIONS;
  const missing = { ...first!, functionId: 'get-moon', entry: 'functions/api/moons/get-moon/handler.ts' };
  await expect(bundle([missing])).rejects.toThrow('get-moon: functions/api/moons/get-moon/handler.ts does not exist');
});
