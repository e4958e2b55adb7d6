/** Payloads as API Gateway sends them: each names its function and gets an answer that is no server error. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { PROTOCOL_ENDPOINTS } from '#infra/protocol-endpoints.gen.ts';
import { fullPath } from '#shared/http/contract.ts';
import type { HttpEvent } from '#shared/http/endpoint.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { callersOf } from '#test/helpers/callers.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { answered } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'events');
const all = globSync('*.json', { cwd: FOLDER });
const filesOf = (contracts: readonly { id: string }[]): string[] => {
  const operations = new Set(contracts.map(({ id }) => id));
  return all.filter((file) => operations.has(basename(file).split('.')[0]!));
};
const files = filesOf(ENDPOINTS);
const protocolFiles = filesOf(PROTOCOL_ENDPOINTS);

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

/** The same payload with a valid credential, because those in the files are examples. */
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

test.each(protocolFiles)('%s, by the standard of its endpoint', async (file) => {
  const [operation = ''] = file.split('.');
  const { routes } = PROTOCOL_ENDPOINTS.find(({ id }) => id === operation)!;
  const event = read(file);
  expect(routes.map(({ method, path }) => `${method} ${path}`)).toContain(event.routeKey);
  const { status } = await answered(await handlerOf(operation), withCredential(event));
  expect([401, 403, 413, 415, 500]).not.toContain(status);
});

test('every endpoint has one', () => {
  const met = new Set([...files, ...protocolFiles].map((file) => file.split('.')[0]));
  expect([...ENDPOINTS, ...PROTOCOL_ENDPOINTS].filter(({ id }) => !met.has(id)).map(({ id }) => id)).toEqual([]);
});
