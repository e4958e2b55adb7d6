/**
 * Every example of the description, replayed against the API of a running stack. For a success: the documented status,
 * an answer that matches its schema, and the shape of the example. For a refusal: its exact status and code.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerFindings, EVENTS, mediaOf, OPERATIONS, type Operation, resolved } from '#test/helpers/description.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';
import { type Call, callOf, examplesIn, type Sent, sendCall } from '#test/helpers/example-calls.ts';
import { recipeOf } from '#test/helpers/example-refusals.ts';
import { shapeFindings } from '#test/helpers/example-shape.ts';
import { makeWorld, type World } from '#test/helpers/example-world.ts';
import { type InProcessApi, listenInProcess, type Trouble } from '#test/helpers/in-process-api.ts';

const TROUBLES: Trouble[] = ['failing', 'hanging', 'busy', 'throttled'];

const stage = useStack();
let world: World;
let front: InProcessApi;
let troubled: Record<Trouble, InProcessApi>;
beforeAll(async () => {
  world = await makeWorld(stage);
  front = await listenInProcess(stage.stack);
  const listening = TROUBLES.map(async (trouble) => [trouble, await listenInProcess(stage.stack, trouble)]);
  troubled = Object.fromEntries(await Promise.all(listening));
});
afterAll(() => Promise.all([front, ...Object.values(troubled)].map((each) => each.close())));

/** The expected status for a request built from examples: the first success; redirects are not followed. */
const successOf = ({ responses }: Operation): number => {
  const statuses = Object.keys(responses).map(Number);
  return statuses.find((status) => status === 302) ?? statuses.find((status) => status >= 200 && status < 400)!;
};

/** Prefix of the gateway's name for `www-authenticate`. */
const RENAMED = 'x-amzn-remapped-';

const expectDocumented = (operation: Operation, status: number, { headers, body }: Sent, isOurs = true): void => {
  expect(answerFindings(operation.id, status, body)).toEqual([]);
  // The gateway's own answers have none of the service's headers.
  if (!isOurs) return;
  for (const name of Object.keys(resolved(operation.responses[String(status)]!).headers ?? {}))
    expect(headers.has(name) || headers.has(`${RENAMED}${name}`), name).toBe(true);
};

const readyCall = async (operation: Operation, params: Record<string, string>): Promise<Call> => {
  const call = callOf(operation, params, stage.api.file);
  const body = await world.bodyFor(operation);
  return body === undefined ? call : { ...call, body: JSON.stringify(body) };
};

const isList = (body: unknown): body is { data: unknown[] } => Array.isArray((body as { data?: unknown })?.data);

describe('what succeeds', () => {
  test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))('%s', async (_, operation) => {
    const call = await readyCall(operation, await world.paramsFor(operation));
    const headers = { ...call.headers, ...examplesIn(operation, 'header') };
    const query = String(new URLSearchParams(examplesIn(operation, 'query')));
    const answers = [await sendCall(front.url, operation, { ...call, headers })];
    if (query !== '') answers.push(await sendCall(front.url, operation, { ...call, headers, query }));
    const status = successOf(operation);
    for (const each of answers) {
      expect(each.status, each.text).toBe(status);
      expectDocumented(operation, status, each);
      // A list without rows would not show the shape of its rows. No connection has the metadata of the examples.
      const isFiltered = operation.id === 'listConnections' && each !== answers[0];
      if (operation.method === 'GET' && isList(each.body) && !isFiltered)
        expect(each.body.data.length).toBeGreaterThan(0);
    }
    await world.undo(operation, answers[0]!.body);
    const media = mediaOf(operation.responses[String(status)]);
    if (media) expect(shapeFindings(media.schema, media.example, answers[0]!.body)).toEqual([]);
  });
});

const GATEWAY = 'gateway';

/** Each as `[operation, status, name of the example]`. */
const REFUSALS = OPERATIONS.flatMap((operation) =>
  Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) =>
      // Operations share the answer of a status; each names its own codes of it.
      Object.entries(mediaOf(response)?.examples ?? {})
        // Only while a worker writes the month: test/integration/data/list-totals.test.ts.
        .filter(([name]) => !(operation.id.endsWith('Totals') && name === 'connection_sync_in_progress'))
        .filter(([name]) => name === GATEWAY || (operation['x-error-codes'][status] ?? []).includes(name))
        .map(([code, { value }]) => [operation.id, status, code, operation, value] as const),
    ),
);

/** A refused call changes nothing, so only an example with a success before it needs its own resource. */
const found = new Map<string, Promise<Record<string, string>>>();
const paramsFor = (operation: Operation, status: string): Promise<Record<string, string>> => {
  if (status === '409') return world.paramsFor(operation);
  const params = found.get(operation.id) ?? world.paramsFor(operation);
  found.set(operation.id, params);
  return params;
};

describe('what is refused', () => {
  test.each(REFUSALS)('%s: %s %s', async (_, status, code, operation, example) => {
    const undone: (() => Promise<unknown>)[] = [];
    let { url } = front;
    const { file } = stage.api;
    const recipe = recipeOf(status, code);
    const call = await recipe({
      operation,
      file,
      world,
      call: await readyCall(operation, await paramsFor(operation, status)),
      send: (each) => sendCall(front.url, operation, each),
      through: (trouble) => {
        ({ url } = troubled[trouble]);
      },
      afterwards: (work) => undone.push(work),
    });
    const answer = await sendCall(url, operation, call);
    for (const undo of undone) await undo();
    expect(answer.status, answer.text).toBe(Number(status));
    const isOurs = code !== GATEWAY;
    expect(answer.body).toEqual(isOurs ? { error: { code, message: expect.any(String) } } : example);
    expectDocumented(operation, Number(status), answer, isOurs);
  });
});

test.each(Object.entries(EVENTS))(
  'the webhook %s comes as its example shows it',
  async (type, { requestBody, parameters }) => {
    const { headers, body } = await stage.doors.webhookOf(await world.runThatEnds(type));
    const media = mediaOf(requestBody)!;
    expect(shapeFindings(media.schema, media.example, JSON.parse(body))).toEqual([]);
    for (const { name } of parameters!) expect(headers).toHaveProperty(name!);
  },
);
