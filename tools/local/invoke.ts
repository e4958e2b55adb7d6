/**
 * `npm run invoke -- <function-id> [case or file]`: runs one function's bundle in this process with one payload of
 * `events/`, and prints the function's result. The function uses the table and the queues of the running local stack,
 * or of a new stack. A placeholder credential in the payload is replaced by a valid credential.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUNDLE_DIR } from '#infra/app.ts';
import { bundle } from '#infra/bundle.ts';
import { FUNCTIONS, type FunctionManifest, variantScope } from '#infra/manifest.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { withStack } from '#tools/local/demo/with-stack.ts';
import { DATA_FOLDER, fail, useLocalEnvironment } from './command-line.ts';
import type { StackFile } from './stack-file.ts';

const ROOT = join(import.meta.dirname, '../..');
const EVENTS = join(ROOT, 'events');

interface Payload {
  headers?: Record<string, string>;
  cookies?: string[];
}

const fileOf = (functionId: string, wanted: string | undefined): string => {
  if (wanted?.endsWith('.json')) return isAbsolute(wanted) ? wanted : join(process.cwd(), wanted);
  const cases = globSync(`${functionId}.*.json`, { cwd: EVENTS }).sort();
  const found = cases.find((file) => wanted === undefined || basename(file) === `${functionId}.${wanted}.json`);
  return join(EVENTS, found ?? fail(`no payload "${wanted}"; there are: ${cases.join(', ')}`));
};

const withCredentials = (event: Payload, { api_key, session }: StackFile): Payload => ({
  ...event,
  ...(event.headers?.authorization ? { headers: { ...event.headers, authorization: `Bearer ${api_key}` } } : {}),
  ...(event.cookies ? { cookies: [`sb-access-token=${session}`] } : {}),
});

/** The part of Lambda's context that functions read. */
const contextOf = (fn: FunctionManifest) => {
  const endsMs = performance.now() + fn.timeoutSeconds * 1_000;
  return { functionName: fn.functionId, getRemainingTimeInMillis: () => Math.max(0, endsMs - performance.now()) };
};

const invoke = async (fn: FunctionManifest, event: Payload): Promise<unknown> => {
  if (fn.kind === 'worker' && fn.variant !== null) process.env[VARIABLES.scope] = variantScope(fn.variant);
  const { href } = pathToFileURL(join(BUNDLE_DIR, fn.functionId, 'index.mjs'));
  const { handler } = (await import(href)) as { handler(event: unknown, context: unknown): Promise<unknown> };
  return handler(event, contextOf(fn));
};

const [functionId = '', wanted] = process.argv.slice(2);
const known = FUNCTIONS.find((fn) => fn.functionId === functionId);
const fn =
  known ??
  fail(`usage: npm run invoke -- <function-id> [case or file]\n${FUNCTIONS.map((each) => each.functionId).join(' ')}`);
const event = JSON.parse(readFileSync(fileOf(functionId, wanted), 'utf8')) as Payload;
await bundle();
await withStack(DATA_FOLDER, async (stack) => {
  useLocalEnvironment();
  console.log(JSON.stringify(await invoke(fn, withCredentials(event, stack)), null, 2));
});
