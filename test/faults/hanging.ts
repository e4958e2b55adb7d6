/**
 * Many events at once to a receiver that never answers, in virtual time and over the real handlers. Prints the attempts
 * as JSON; test/integration/faults/hanging.test.ts checks them.
 */
import type { OutgoingRequest } from '#shared/transport/connections.ts';
import { virtual } from './machine/virtual-process.ts';
import { useWire, wire } from './world/connections.ts';

export interface Attempted {
  delivery: string;
  /** Milliseconds since the events were announced. */
  afterMs: number;
}

const EVENTS = 24;
const MINUTE_MS = 60_000;
/** By then all second attempts have ended and no third attempt has begun. */
const UNTIL_MS = 50 * MINUTE_MS;

useWire();
const { quietly, startStory } = await import('./story.ts');
const { subscribe } = await import('./world/history.ts');
const { announceRun } = await import('#shared/webhooks/announce.ts');
const table = await import('#shared/table/table.ts');
const { enqueueDeliveries } = await import('#shared/webhooks/enqueue-delivery.ts');
const { nowIso } = await import('#shared/platform/clock.ts');
const { newId } = await import('#shared/platform/ids.ts');
const { MANIFESTS } = await import('#shared/sources/manifests.gen.ts');

const { machine } = startStory({ manifest: MANIFESTS[0]! } as never, '2026-11-21T12:00:00.000Z');
const startedMs = virtual.nowMs;
const attempts: Attempted[] = [];

/** Accepts the request and never answers. */
wire.receive = ({ headers }: OutgoingRequest): Promise<never> => {
  attempts.push({ delivery: headers['webhook-id']!, afterMs: virtual.nowMs - startedMs });
  return new Promise(() => {});
};

const tell = quietly();
const organizationId = newId();
await subscribe({ organizationId, endpoints: [] });
for (let n = 0; n < EVENTS; n++) {
  const run = { organizationId, connectionId: newId(), runId: newId(), type: 'sync.succeeded', at: nowIso() } as const;
  const { items, deliveries } = await announceRun({ ...run, data: { status: 'succeeded' } });
  await table.transact(items);
  await enqueueDeliveries(deliveries);
}
while (virtual.nowMs - startedMs < UNTIL_MS && (await machine.step(startedMs + UNTIL_MS)));
tell(attempts);
