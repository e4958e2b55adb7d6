import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nowIso, plantClock } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { newEndpoint, type WebhookEndpoint } from '#shared/webhooks/endpoint.rules.ts';
import { endpointKnown, forgetEndpoint, rememberEndpoint, rememberSuccess } from '#shared/webhooks/endpoint-cache.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';

let nowMs: number;

beforeEach(() => {
  nowMs = Date.now();
  plantClock(() => nowMs);
});
afterEach(() => plantClock(undefined));

const succeeded = (change: Partial<WebhookEndpoint> = {}) => {
  const made = { organizationId: newId(), id: newId(), url: 'https://receiver.example', eventTypes: [] };
  const endpoint = { ...newEndpoint({ ...made, createdAt: nowIso() }), lastSuccessAt: nowIso(), ...change };
  return { endpoint, secret: new Uint8Array([1]) };
};
const nameOf = ({ endpoint }: { endpoint: WebhookEndpoint }) => ({
  organizationId: endpoint.organizationId,
  endpointId: endpoint.id,
});

describe('an endpoint that was read', () => {
  test('is known until its last success wants a stamp again, however late it was read', () => {
    const found = succeeded();
    const readMs = nowMs + WEBHOOK_LIMITS.webhookSuccessStampMs - 1;
    for (const atMs of [nowMs, readMs]) {
      nowMs = atMs;
      rememberEndpoint(found);
      expect(endpointKnown(nameOf(found))).toBe(found);
    }
    nowMs = readMs + 2;
    expect(endpointKnown(nameOf(found))).toBeUndefined();
  });

  test.each([
    ['never had a success', { lastSuccessAt: null }],
    ['has failures to forget', { failuresInRow: 1 }],
  ])('is not known when it %s: the next success is written to it', (_, change) => {
    const found = succeeded();
    rememberEndpoint(found);
    const changed = { ...found, endpoint: { ...found.endpoint, ...change } };
    rememberEndpoint(changed);
    expect(endpointKnown(nameOf(found))).toBeUndefined();
  });

  test('is known by both its names, as last read, and unknown when it is forgotten', () => {
    const found = succeeded();
    rememberEndpoint(found);
    const later = { ...found, secret: new Uint8Array([2]) };
    rememberEndpoint(later);
    expect(endpointKnown(nameOf(found))).toBe(later);
    expect(endpointKnown({ ...nameOf(found), organizationId: newId() })).toBeUndefined();
    expect(endpointKnown({ ...nameOf(found), endpointId: newId() })).toBeUndefined();
    forgetEndpoint(nameOf(found));
    expect(endpointKnown(nameOf(found))).toBeUndefined();
  });

  test('is known for as long again once this worker stamped a success on it; one that was not read is not', () => {
    const found = succeeded({ lastSuccessAt: null });
    rememberSuccess(nameOf(found), nowIso());
    expect(endpointKnown(nameOf(found))).toBeUndefined();
    rememberEndpoint(found);
    rememberSuccess(nameOf(found), nowIso());
    const stamped = { ...found, endpoint: { ...found.endpoint, lastSuccessAt: nowIso() } };
    nowMs += WEBHOOK_LIMITS.webhookSuccessStampMs;
    expect(endpointKnown(nameOf(found))).toEqual(stamped);
    nowMs++;
    expect(endpointKnown(nameOf(found))).toBeUndefined();
  });

  test('is not known to a clock that was set back', () => {
    const found = succeeded();
    rememberEndpoint(found);
    nowMs--;
    expect(endpointKnown(nameOf(found))).toBeUndefined();
  });

  test('goes when more are known than may be, the oldest first', () => {
    const [oldest, next] = [succeeded(), succeeded()];
    rememberEndpoint(oldest);
    rememberEndpoint(next);
    for (let n = 1; n < WEBHOOK_LIMITS.webhookEndpointsKnownMax; n++) rememberEndpoint(succeeded());
    expect(endpointKnown(nameOf(oldest))).toBeUndefined();
    expect(endpointKnown(nameOf(next))).toBe(next);
  });
});
