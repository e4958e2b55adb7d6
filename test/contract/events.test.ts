/** Payloads as API Gateway sends them: each names its function and gets an answer that is none of a fault. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { fullPath } from '#shared/http/contract.ts';
import type { HttpEvent } from '#shared/http/endpoint.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { callersOf } from '#test/helpers/callers.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { answered } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'events');
const operations = new Set(ENDPOINTS.map(({ id }) => id));
const files = globSync('*.json', { cwd: FOLDER }).filter((file) => operations.has(basename(file).split('.')[0]!));

const read = (file: string): HttpEvent => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as HttpEvent;

let table: EngineTable;
let keyFile: { remove(): void };
let callers: Awaited<ReturnType<typeof callersOf>>;

beforeAll(async () => {
  table = await startEngineTable();
  keyFile = useKeyFile();
  useSharedSecretIssuer();
  callers = await callersOf('11111111-1111-4111-8111-111111111111');
});
afterAll(async () => {
  keyFile.remove();
  await table.stop();
});

/** The same payload with a credential that holds: those in the files are examples. */
const withCredential = (event: HttpEvent): HttpEvent => ({
  ...event,
  headers: { ...event.headers, ...(event.headers.authorization ? callers.key.headers : {}) },
  ...(event.cookies ? { cookies: callers.session.cookies ?? [] } : {}),
});

test.each(files)('%s', async (file) => {
  const [operation = ''] = file.split('.');
  const contract = ENDPOINTS.find(({ id }) => id === operation)!;
  const event = read(file);
  if (contract.path !== '$default') expect(event.routeKey).toBe(`${contract.method} ${fullPath(contract)}`);
  const handler = await handlerOf(operation);
  if (contract.auth !== 'public') expect((await answered(handler, read(file))).status).toBe(401);
  const { status } = await answered(handler, withCredential(event));
  expect([401, 403, 415, 500]).not.toContain(status);
});
