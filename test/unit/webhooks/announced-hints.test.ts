/** The message of a new delivery carries the values of its item; any other message carries none. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeliveryDue } from '#shared/messaging/queues.ts';
import { EVENT_TYPES } from '#shared/values/event-types.ts';
import {
  type DeliverySchedule,
  deliveryFromMessage,
  deliveryMessage,
  newDelivery,
  newDeliveryMessage,
  postpone,
} from '#shared/webhooks/delivery.rules.ts';

const SCHEDULE: DeliverySchedule = { attemptsMax: 2, retryDelaysMs: [60_000], claimMs: 60_000, graceMs: 45_000 };

const delivery = fc
  .record({
    organizationId: fc.uuid(),
    endpointId: fc.uuid(),
    id: fc.uuid(),
    eventId: fc.uuid(),
    eventType: fc.constantFrom(...EVENT_TYPES),
    atMs: fc.integer({ min: 0, max: Date.parse('2100-01-01T00:00:00.000Z') }),
  })
  .map(({ atMs, ...named }) => newDelivery(named, atMs, SCHEDULE));

/** The message as received from the queue. */
const sent = (hint: unknown): DeliveryDue => DeliveryDue.parse(JSON.parse(JSON.stringify(DeliveryDue.parse(hint))));

describe('the message of a delivery that was just announced', () => {
  it('carries it whole, and the sent bytes unchanged', () => {
    fc.assert(
      fc.property(delivery, fc.string({ unit: 'binary' }), (made, body) => {
        const message = sent(newDeliveryMessage(made, body));
        expect(deliveryFromMessage(message, SCHEDULE)).toEqual(made);
        expect(Buffer.from(message.announced!.body)).toEqual(Buffer.from(new TextEncoder().encode(body)));
      }),
    );
  });

  it('carries nothing of a later generation, or if something is missing', () => {
    fc.assert(
      fc.property(delivery, (made) => {
        const hint = newDeliveryMessage(made, '{}');
        const later = { ...hint, ...deliveryMessage(postpone(made, Date.parse(made.dueAt!) + 1)) };
        for (const untold of [later, deliveryMessage(made)])
          expect(deliveryFromMessage(sent(untold), SCHEDULE)).toBeUndefined();
      }),
    );
  });
});
