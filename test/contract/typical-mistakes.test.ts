/** Typical mistakes of integrators, over HTTP through the gateway's routes: each message says what is allowed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { fullPath } from '#shared/http/contract.ts';
import type { HttpEvent } from '#shared/http/endpoint.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { callersOf } from '#test/helpers/callers.ts';
import { connectionApi, newConnection } from '#test/helpers/connection-api.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { context } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import type { VirtualClock } from '#tools/local/clock.ts';
import type { FunctionPool } from '#tools/local/functions.ts';
import { listenHttpApi } from '#tools/local/http-api.ts';
import { type Mistake, type MistakenRequest, TYPICAL_MISTAKES } from '#tools/typical-mistakes.ts';

const ROUTES = ENDPOINTS.map((contract) => ({
  routeKey: contract.path.startsWith('/') ? `${contract.method} ${fullPath(contract)}` : contract.path,
  functionArn: contract.id,
}));
const API = { id: 'test', stage: '$default', routes: ROUTES, throttle: { rateLimit: 1_000, burstLimit: 1_000 } };

let table: EngineTable;
let keyFile: { remove(): void };
let api: Awaited<ReturnType<typeof listenHttpApi>>;
let headersOf: Record<MistakenRequest['as'], Record<string, string>>;
/** Values for the names in braces. */
let values: Record<string, string>;

const functions: Pick<FunctionPool, 'invoke'> = {
  invoke: async (id, event) => {
    const result = await (await handlerOf(id))(event as HttpEvent, context);
    return { requestId: '', durationMs: 0, json: JSON.stringify(result) };
  },
};

const filled = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

const send = async ({ method, path, as, headers, body }: MistakenRequest): Promise<Response> =>
  fetch(`${api.url}${filled(path)}`, {
    method,
    headers: {
      ...headersOf[as],
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

beforeAll(async () => {
  table = await startEngineTable();
  useSharedSecretIssuer();
  keyFile = useKeyFile();
  api = await listenHttpApi(0);
  api.serve(API, { clock: { nowMs: () => Date.now() } as VirtualClock, functions: functions as FunctionPool });
  const { key, session } = await callersOf(randomUUID());
  headersOf = { key: key.headers!, session: { cookie: session.cookies!.join('; ') }, nobody: {} };
  const person = connectionApi(session);
  const bank = {
    external_source_code: 'bankone',
    enabled_scopes: ['balances'],
    credentials: { rut: '11000001-4', company_rut: '76192083-9', password: 'clave' },
  };
  const made = await Promise.all([{}, {}, bank].map((changes) => person.create(newConnection(changes))));
  const [tax, disabled, other] = made.map(({ body }) => body.id as string) as [string, string, string];
  await person.update(disabled, { enabled: false });
  values = { tax, disabled, bank: other, key: key.headers!.authorization!.replace('Bearer ', '') };
  const feed = await fetch(`${api.url}/api/changes`, { headers: headersOf.key });
  values.cursor = ((await feed.json()) as { feed: { next_cursor: string } }).feed.next_cursor;
});
afterAll(async () => {
  await api.close();
  keyFile.remove();
  await table.stop();
});

const expectHelp = async ({ request, status, code, names }: Mistake): Promise<void> => {
  const answer = await send(request);
  const { error } = (await answer.json()) as { error: { code: string; message: string } };
  expect([answer.status, error.code], error.message).toEqual([status, code]);
  for (const each of names) expect(error.message).toContain(each);
  expect(error.message).not.toContain(values.key);
};

describe.each(Object.entries(TYPICAL_MISTAKES))('%s', (_, mistakes) => {
  test.each(mistakes)('$mistake', expectHelp);
});
