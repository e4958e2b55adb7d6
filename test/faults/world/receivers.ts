/** Receivers of webhooks: what reached them, and how they answered. */
import { madeAtMs } from '#shared/platform/ids.ts';
import type { OutgoingRequest } from '#shared/transport/connections.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import type { Machine } from '../machine/machine.ts';
import { virtual } from '../machine/virtual-process.ts';
import type { SimulatedTable } from '../table/simulated-table.ts';
import type { Item } from '../table/values.ts';
import { wire } from './connections.ts';

export interface Received {
  webhookId: string;
  atMs: number;
  body: string;
  ok: boolean;
  /** Attempts that the delivery had recorded when this request arrived. */
  recorded: number;
  /** Whether the recorded attempt had a slot then, or its slot had lapsed. */
  isPlaced: boolean;
}

export interface Receivers {
  received: Received[];
}

let current: { machine: Machine; table: SimulatedTable; receivers: Receivers } | undefined;

export const useReceivers = (machine: Machine, table: SimulatedTable, receivers: Receivers): void => {
  current = { machine, table, receivers };
};

const deliveryOf = (table: SimulatedTable, webhookId: string): Item | undefined => {
  for (const item of table.items()) if (item.sk === `DELIVERY#${webhookId}`) return item;
  return undefined;
};

/** A frozen worker may come after the sweeper closed its attempt: then nothing is known of the attempt any more. */
const isPlaced = (delivery: Item | undefined): boolean => {
  const { machine, table } = current!;
  if (delivery?.status !== 'delivering') return true;
  const attemptId = String(delivery.attempt_id);
  const slots = table.find({ pk: delivery.pk, sk: 'SLOTS' });
  const isTaken = (slots?.in_flight as Set<string> | undefined)?.has(attemptId) ?? false;
  return isTaken || virtual.nowMs - madeAtMs(attemptId) >= WEBHOOK_LIMITS.webhookClaimMs - machine.skewMsMax;
};

const answer = ({ headers, body, signal }: OutgoingRequest): number => {
  const { machine, table, receivers } = current!;
  signal.throwIfAborted();
  const fails = machine.random.chance(machine.faults.receiver);
  const delivery = deliveryOf(table, headers['webhook-id']!);
  receivers.received.push({
    webhookId: headers['webhook-id']!,
    atMs: virtual.nowMs,
    body: new TextDecoder().decode(body as Uint8Array),
    ok: !fails,
    recorded: Number(delivery?.attempts ?? 0),
    isPlaced: isPlaced(delivery),
  });
  // Half of the failing receivers answer with an error, the others break off after they took the request.
  if (fails && machine.random.chance(0.5)) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  return fails ? 503 : 200;
};

export const interceptReceivers = (): void => {
  wire.receive = (call) => current!.machine.call('post', () => answer(call));
};
