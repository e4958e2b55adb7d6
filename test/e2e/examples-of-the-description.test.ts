/**
 * Every example of the description, sent to the API of a running stack: it gets the documented status, an answer that its schema
 * takes, and one of the kind that the example of the answer shows.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answerFindings,
  DESCRIPTION,
  mediaOf,
  OPERATIONS,
  type Operation,
  resolved,
} from '#test/helpers/description.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';
import { shapeFindings } from '#test/helpers/example-shape.ts';
import { makeWorld, type World } from '#test/helpers/example-world.ts';
import { type InProcessApi, listenInProcess } from '#test/helpers/in-process-api.ts';

const stage = useStack();
let world: World;
let front: InProcessApi;
beforeAll(async () => {
  world = await makeWorld(stage);
  front = await listenInProcess(stage.stack);
});
afterAll(() => front.close());

/** What a request made of examples must get: the first success, and of a redirect not what is behind it. */
const successOf = ({ responses }: Operation): number => {
  const statuses = Object.keys(responses).map(Number);
  return statuses.find((status) => status === 302) ?? statuses.find((status) => status >= 200 && status < 400)!;
};

const credentialFor = ({ security }: Operation): Record<string, string> => {
  const { api_key, session } = stage.api.file;
  if (security.length === 0) return {};
  const byKey = security.some((scheme) => 'apiKey' in scheme);
  return byKey ? { authorization: `Bearer ${api_key}` } : { cookie: `sb-access-token=${session}` };
};

const examplesIn = (operation: Operation, place: string): Record<string, string> =>
  Object.fromEntries(
    (operation.parameters ?? [])
      .map(resolved)
      .filter((each) => each.in === place && each.example !== undefined)
      .map(({ name, example }) => [name!, String(example)]),
  );

interface Sent {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

const send = async (operation: Operation, params: Record<string, string>, isFiltered: boolean): Promise<Sent> => {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const query = isFiltered ? `?${new URLSearchParams(examplesIn(operation, 'query'))}` : '';
  const body = mediaOf(operation.requestBody)?.example;
  const response = await fetch(`${front.url}${path}${query}`, {
    method: operation.method,
    redirect: 'manual',
    headers: {
      ...credentialFor(operation),
      ...examplesIn(operation, 'header'),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
};

const isList = (body: unknown): body is { data: unknown[] } => Array.isArray((body as { data?: unknown })?.data);

test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))('%s', async (id, operation) => {
  const params = await world.paramsFor(operation);
  const isRead = operation.method === 'GET';
  const isFilterable = Object.keys(examplesIn(operation, 'query')).length > 0;
  const [answer, ...more] = [
    await send(operation, params, false),
    ...(isFilterable ? [await send(operation, params, true)] : []),
  ];
  const status = successOf(operation);
  const { [String(status)]: documented } = operation.responses;
  for (const each of [answer!, ...more]) {
    expect(each.status, each.text).toBe(status);
    expect(answerFindings(id, each.status, each.body)).toEqual([]);
    for (const name of Object.keys(resolved(documented!).headers ?? {}))
      expect(each.headers.has(name), name).toBe(true);
    // A list without rows would show nothing of their kind.
    if (isRead && isList(each.body)) expect(each.body.data.length).toBeGreaterThan(0);
  }
  await world.undo(operation, answer!.body);
  const media = mediaOf(documented);
  if (media) expect(shapeFindings(media.schema, media.example, answer!.body)).toEqual([]);
});

test('a webhook comes as its example shows it', async () => {
  const { post } = DESCRIPTION.webhooks['sync.succeeded']!;
  const { headers, body } = await stage.doors.webhookOf(world.runId);
  const media = mediaOf(post.requestBody)!;
  expect(shapeFindings(media.schema, media.example, JSON.parse(body))).toEqual([]);
  for (const { name } of post.parameters!) expect(headers).toHaveProperty(name!);
});
