/** A delivery with its body costs one write unit, for every source: otherwise each of its writes would cost two. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { newId } from '#shared/platform/ids.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { eventData } from '#shared/sync/run.rules.ts';
import { claim, type Delivery, type DeliveryAttempt, newDelivery, settle } from '#shared/webhooks/delivery.rules.ts';
import { putDelivery, SCHEDULE } from '#shared/webhooks/delivery.store.ts';
import { packBody, unpackBody, writePayload } from '#shared/webhooks/event-body.ts';

const UNIT_BYTES = 1_024;
const AT_MS = Date.parse('2026-11-02T12:00:00.000Z');

/** Size of a value by AWS's documents: nulls and booleans 1 byte, numbers about one byte for two digits. */
const bytesOf = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.length;
  return typeof value === 'number' ? Math.ceil(String(value).length / 2) + 2 : 1;
};

const sizeOf = (delivery: Delivery, body: Uint8Array): number => {
  const { put } = putDelivery(delivery, body) as { put: object };
  return Object.entries(put).reduce((sum, [name, value]) => sum + name.length + bytesOf(value), 0);
};

/** Events with long content: long scope names, many rows, long times. */
const payloadOfAll = (scopes: readonly string[]): string => {
  const outcomes = scopes.map((scope) => [
    scope,
    { status: 'ok', recordsFound: 123_456, durationMs: 3_599_999, period: '2026-10' },
  ]);
  const run = {
    id: newId(),
    organizationId: randomUUID(),
    connectionId: newId(),
    scopes,
    outcomes: Object.fromEntries(outcomes),
  };
  const at = new Date(AT_MS).toISOString();
  return writePayload({ type: 'sync.succeeded', at, data: eventData(run as never, 'succeeded') });
};

it.each(MANIFESTS.map(({ code, scopes }) => [code, scopes] as const))('%s: of a run of all its scopes', (_, scopes) => {
  const payload = payloadOfAll(scopes);
  const body = packBody(payload);
  expect(Buffer.from(unpackBody(body)).toString()).toBe(payload);
  const named = { organizationId: randomUUID(), endpointId: newId(), id: newId(), eventId: newId() };
  const pending = newDelivery({ ...named, eventType: 'sync.succeeded' }, AT_MS, SCHEDULE);
  const attempt: DeliveryAttempt = { id: newId(), atMs: AT_MS };
  const claimed = claim(pending, attempt, SCHEDULE);
  const delivered = settle(claimed, { ok: true, status: 204 }, AT_MS, SCHEDULE);
  const refused = settle(claimed, { ok: false, failure: 'http', status: 503, error: 'answered 503' }, AT_MS, SCHEDULE);
  for (const state of [pending, claimed, delivered, refused])
    expect(sizeOf(state, body), `${state.status}, ${payload.length} bytes to send`).toBeLessThan(UNIT_BYTES);
});
