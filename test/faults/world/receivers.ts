/** Receivers of webhooks: what reached them, and what they said. Stands where undici's client would open a socket. */
import { Client } from 'undici';
import type { Machine } from '../machine/machine.ts';
import { virtual } from '../machine/virtual-process.ts';

export interface Received {
  webhookId: string;
  atMs: number;
  body: string;
  ok: boolean;
}

export interface Receivers {
  received: Received[];
}

let current: { machine: Machine; receivers: Receivers } | undefined;

export const useReceivers = (machine: Machine, receivers: Receivers): void => {
  current = { machine, receivers };
};

interface Asked {
  headers: Record<string, string>;
  body: Uint8Array;
}

const answer = ({ headers, body }: Asked): unknown => {
  const { machine, receivers } = current!;
  const fails = machine.random.chance(machine.faults.receiver);
  receivers.received.push({
    webhookId: headers['webhook-id']!,
    atMs: virtual.nowMs,
    body: new TextDecoder().decode(body),
    ok: !fails,
  });
  // Half of the failures say so, the others break off after the request was taken.
  if (fails && machine.random.chance(0.5)) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  return {
    statusCode: fails ? 503 : 200,
    body: { async *[Symbol.asyncIterator]() {}, destroy() {} },
  };
};

export const interceptReceivers = (): void => {
  Object.assign(Client.prototype, {
    request: (asked: Asked) => current!.machine.call('post', () => answer(asked)),
    destroy: async () => {},
  });
};
