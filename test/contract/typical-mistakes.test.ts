/** Typical mistakes of integrators, over HTTP through the gateway's routes: each message says what is allowed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { callersOf } from '#test/helpers/callers.ts';
import { connectionApi, newConnection } from '#test/helpers/connection-api.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { listenRouted, type RoutedApi } from '#test/helpers/routed-api.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { type Mistake, type MistakenRequest, TYPICAL_MISTAKES } from '#tools/typical-mistakes.ts';

let table: EngineTable;
let keyFile: { remove(): void };
let api: RoutedApi;
let headersOf: Record<MistakenRequest['as'], Record<string, string>>;
/** Values for the names in braces. */
let values: Record<string, string>;

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
  api = await listenRouted();
  const { key, session } = await callersOf(randomUUID());
  headersOf = { key: key.headers!, session: { cookie: session.cookies!.join('; ') }, nobody: {} };
  const person = connectionApi(session);
  const bank = {
    external_source_code: 'bankone',
    enabled_scopes: ['balances'],
    credentials: { rut: '76192083-9', password: 'clave' },
  };
  const made = await Promise.all([{}, {}, bank].map((changes) => person.create(newConnection(changes))));
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
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
