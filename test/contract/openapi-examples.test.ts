/**
 * Every example of the description matches its schema. The e2e tests replay the examples, which shows that the service
 * agrees.
 */
import { expect, test } from 'vitest';
import { EVENT_SCHEMAS } from '#shared/http/openapi/events.ts';
import { eventData } from '#shared/sync/run.rules.ts';
import {
  DESCRIPTION,
  EVENTS,
  findings,
  type Media,
  mediaOf,
  OPERATIONS,
  type Part,
  resolved,
} from '#test/helpers/description.ts';

const examplesOf = ({ schema, example, examples }: Media): [object, unknown][] => [
  ...(example === undefined ? [] : [[schema, example] as [object, unknown]]),
  ...Object.values(examples ?? {}).map(({ value }) => [schema, value] as [object, unknown]),
];

const events = Object.values(EVENTS).map((event) => ({ ...event, id: event.operationId }));
const everything = [...OPERATIONS, ...events];

test.each(everything.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  const bodies = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) => mediaOf(part) ?? []);
  for (const media of bodies) expect(examplesOf(media).length, 'a body without an example').toBeGreaterThan(0);
  const values = (operation.parameters ?? [])
    .map((each) => resolved(each))
    .filter(({ example }) => example !== undefined);
  const all = [...bodies.flatMap(examplesOf), ...values.map(({ schema, example }) => [schema!, example] as const)];
  for (const [schema, value] of all) expect(findings(schema, value)).toEqual([]);
  const isShown = (each: Part) => each.example !== undefined || each.in === 'query';
  expect((operation.parameters ?? []).map(resolved).filter((each) => !isShown(each))).toEqual([]);
});

/** Places where a value only repeats the name of its property, as a simple generator would do. */
const hollow = (value: unknown, at: string): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => hollow(item, at));
  if (typeof value !== 'object' || value === null)
    return value === at.split('.').at(-1)?.replaceAll('_', ' ') ? [at] : [];
  return Object.entries(value).flatMap(([name, item]) => hollow(item, `${at}.${name}`));
};

test.each(everything.map((operation) => [operation.id, operation] as const))(
  '%s: examples say something',
  (id, each) => {
    const bodies = [each.requestBody, ...Object.values(each.responses)].flatMap((part) => mediaOf(part) ?? []);
    expect(bodies.flatMap(examplesOf).flatMap(([, value]) => hollow(value, id))).toEqual([]);
  },
);

interface Schema {
  examples?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

const within = (schema: Schema): Schema[] => [
  schema,
  ...Object.values(schema.properties ?? {}).flatMap(within),
  ...(schema.items ? within(schema.items) : []),
];

test.each(Object.entries(DESCRIPTION.components.schemas as Record<string, Part & Schema>))('schema %s', (_, schema) => {
  for (const part of within(schema)) for (const value of part.examples ?? []) expect(findings(part, value)).toEqual([]);
});

test.each(Object.entries(DESCRIPTION.components.headers ?? {}))('header %s', (_, { schema, example }) => {
  expect(findings(schema!, example)).toEqual([]);
});

const ID = '4f9d3c52-7a1e-4b60-9c8d-000000000d1b';
const outcome = {
  scope: 'rcv',
  recordsFound: 1,
  recordsCreated: 1,
  recordsUpdated: 0,
  durationMs: 5,
  period: '2026-10',
};
const failed = { ...outcome, status: 'failed', errorCode: 'source.unavailable', errorMessage: 'x' };

test.each([
  ['sync.succeeded', 'succeeded', { ...outcome, status: 'ok', errorCode: null, errorMessage: null }],
  ['sync.partial', 'partial', { ...outcome, status: 'partial', errorCode: null, errorMessage: null }],
  ['sync.partial', 'partial', { ...failed, status: 'partial' }],
  ['sync.failed', 'failed', failed],
] as const)('the event %s as it is sent', (type, status, ended) => {
  const run = { id: ID, organizationId: ID, connectionId: ID, scopes: ['rcv'], outcomes: { rcv: ended } };
  const data = eventData(run as never, status);
  const sent = { type, timestamp: '2026-10-14T12:30:41.700Z', data };
  expect(findings(mediaOf(EVENTS[type]!.requestBody)!.schema, sent)).toEqual([]);
  // Parsing drops fields that the schema does not know, so the schema describes everything that is sent.
  expect(EVENT_SCHEMAS[type].parse(sent)).toEqual(sent);
});
