/** The three webhook events as receivers get them (service.md "Events", decisions.md §5 and §8). */
import * as z from 'zod';
import { EVENT_TYPES, type EventType } from '#shared/values/event-types.ts';
import { instant, period, uuid } from '#shared/values/fields.ts';
import { SYNC_ERRORS } from '#shared/values/sync-errors.ts';
import { EVENTS_TAG } from './about.ts';
import type { Recorded } from './answers.ts';
import { buildExample } from './examples.ts';
import type { SchemaJson, SchemaRegistry } from './json-schema.ts';

const STATUSES = { 'sync.succeeded': 'succeeded', 'sync.partial': 'partial', 'sync.failed': 'failed' } as const;
type EventStatus = (typeof STATUSES)[EventType];

const Outcome = z
  .object({
    scope: z.string().meta({ examples: ['rcv'] }),
    status: z.enum(['ok', 'partial', 'failed', 'cancelled']),
    recordsFound: z
      .int()
      .min(0)
      .meta({ examples: [152] }),
    durationMs: z
      .int()
      .min(0)
      .describe('Time that the scope took in the run, in milliseconds.')
      .meta({ examples: [8412] }),
    period: period()
      .nullable()
      .describe(
        'The newest of the synchronized periods. Use it as `?period=` of the read endpoint; the run ' +
          'lists them all as `periods`. Null for scopes without periods.',
      ),
  })
  .meta({ id: 'SyncEventScopeOutcome' });

const errorCode = () =>
  z.enum(Object.keys(SYNC_ERRORS) as [string, ...string[]]).describe('The most severe error of the run.');

const dataOf = <S extends EventStatus>(status: S) => ({
  syncRunId: uuid(),
  organizationId: uuid(),
  connectionId: uuid(),
  status: z.literal(status),
  scopes: z.array(z.string()).meta({ examples: [['rcv']] }),
  scopeOutcomes: z.array(Outcome),
});

const event = <T extends EventType, D extends z.ZodObject>(type: T, data: D, id: string) =>
  z.object({ type: z.literal(type), timestamp: instant().describe('When the run ended.'), data }).meta({ id });

/** Body of each event, by type. */
export const EVENT_SCHEMAS = {
  'sync.succeeded': event('sync.succeeded', z.object(dataOf('succeeded')), 'SyncSucceededEvent'),
  'sync.partial': event(
    'sync.partial',
    z.object({ ...dataOf('partial'), errorCode: errorCode().optional() }),
    'SyncPartialEvent',
  ),
  'sync.failed': event('sync.failed', z.object({ ...dataOf('failed'), errorCode: errorCode() }), 'SyncFailedEvent'),
} as const satisfies Record<EventType, z.ZodObject>;

const SUMMARIES: Record<EventType, string> = {
  'sync.succeeded': 'A sync ended without errors',
  'sync.partial': 'A sync ended, some scope with problems',
  'sync.failed': 'A sync failed',
};

const DESCRIPTION = `Sent to every enabled webhook endpoint that is subscribed to the type. It carries no financial and
no personal data: read those through the API.

**Verify every delivery** (Standard Webhooks): HMAC-SHA256 over \`<webhook-id>.<webhook-timestamp>.<raw body>\` with the
endpoint's secret (base64-decoded, without its prefix \`whsec_\`), base64-encoded, must equal one of the signatures;
compare in constant time, and refuse a timestamp more than 300 seconds off.

Answer 2xx within 20 seconds. Anything else, redirects included, is tried again after 1 minute, 30 minutes and 2 hours.
A delivery may come twice (deduplicate on \`webhook-id\`), and events may come out of order.`;

const SIGNATURE_HEADERS: SchemaJson[] = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Id of the delivery, the same on every attempt: deduplicate on it.',
    schema: { type: 'string', format: 'uuid' },
    example: '0192f5d4-8c3e-7a10-9f6b-2d4c8e1a7b35',
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Seconds since the epoch at the time of this attempt.',
    schema: { type: 'integer' },
    example: 1792065600,
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description: '`v1,` and the base64 of the HMAC. There may be several signatures, separated by spaces.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

const operationOf = (type: EventType, schemas: SchemaRegistry, recorded: Recorded): SchemaJson => {
  const schema = schemas.of(EVENT_SCHEMAS[type]);
  return {
    operationId: `on${type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [EVENTS_TAG],
    summary: SUMMARIES[type],
    description: DESCRIPTION,
    parameters: SIGNATURE_HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema, example: recorded[type] ?? buildExample(schema, schemas.components()) },
      },
    },
    responses: {
      '2XX': { description: 'Received. The body of the answer is ignored.' },
      '4XX': { description: 'Not received: the delivery is retried.' },
      '5XX': { description: 'Not received: the delivery is retried.' },
    },
    security: [],
  };
};

const ENDPOINT_URL = '{$request.body#/url}';

/**
 * Describes the requests sent to the endpoint that an operation creates, by event type. They are described as callbacks
 * instead of `webhooks`, because generators drop the schemas of `webhooks` or turn them into client calls.
 */
export const describeCallbacks = (schemas: SchemaRegistry, recorded: Recorded): SchemaJson =>
  Object.fromEntries(
    EVENT_TYPES.map((type) => [type, { [ENDPOINT_URL]: { post: operationOf(type, schemas, recorded) } }]),
  );

/** The operation whose request contains the address for events. */
export const SUBSCRIBING = 'createWebhook';
