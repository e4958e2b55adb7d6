/**
 * How the outcome of an attempt changes the slots of its endpoint: a worker that read the endpoint earlier must be
 * refused a slot.
 */
import { expect, test } from 'vitest';
import { releasedSlot } from '#shared/webhooks/concurrency.store.ts';
import type { Delivery } from '#shared/webhooks/delivery.rules.ts';

const FAILED = {
  organizationId: 'o',
  endpointId: 'e',
  id: 'd',
  attemptId: 'a',
  status: 'failed',
  failure: 'status',
} as unknown as Delivery;

test('the outcome that disables the endpoint writes its new revision', () => {
  expect(releasedSlot(FAILED, FAILED, { failures: 'more', revision: 7 })).toMatchObject({
    set: { has_failures: true, revision: 7 },
    take: { in_flight: new Set(['a']) },
  });
});

test('an outcome that does not change the endpoint leaves the revision unchanged', () => {
  const told = releasedSlot(FAILED, FAILED, { failures: 'more' });
  expect('set' in told && told.set).toEqual({ has_failures: true });
});
