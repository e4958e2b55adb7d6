/** Receives webhooks, and believes none that does not verify. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { components } from './api-types.gen.ts';

type Schemas = components['schemas'];
/** Longer than the first retry waits. */
const EVENT_TIMEOUT_MS = 90_000;

export type SyncEvent = Schemas['SyncSucceededEvent'] | Schemas['SyncPartialEvent'] | Schemas['SyncFailedEvent'];

export interface Receiver {
  /** Where it listens. Loopback http is accepted by a local stack alone; elsewhere an endpoint is public https. */
  url: string;
  /** As the endpoint's creation, or the roll of its secret, answered it. */
  trust(secret: string): void;
  /** The event of a run, come already or still to come. */
  eventOf(runId: string): Promise<SyncEvent>;
  close(): Promise<void>;
}

/** What a body claims to be about: nothing of it is believed. */
const runIdIn = (body: string): string | undefined => {
  try {
    return (JSON.parse(body) as Partial<SyncEvent>).data?.syncRunId;
  } catch {
    return undefined;
  }
};

export const startReceiver = async (): Promise<Receiver> => {
  let webhook: Webhook | undefined;
  const seen = new Set<string>();
  const waiting = new Map<string, PromiseWithResolvers<SyncEvent>>();
  const eventOf = (runId: string): PromiseWithResolvers<SyncEvent> => {
    const known = waiting.get(runId) ?? Promise.withResolvers<SyncEvent>();
    waiting.set(runId, known);
    return known;
  };

  /** Who waits for the run hears why its event is not believed, in place of waiting for ever. */
  const refuse = (body: string, reason: unknown): void => {
    const runId = runIdIn(body);
    if (runId === undefined) return;
    const { promise, reject } = eventOf(runId);
    promise.catch(() => undefined);
    reject(new Error(`the event of run ${runId} was refused: ${(reason as Error).message}`));
  };

  /** Status to answer: 2xx ends the attempts, anything else brings the next one. */
  const receive = async (request: IncomingMessage): Promise<number> => {
    // The signature is over the bytes as they came: parse them only afterwards.
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    try {
      if (!webhook) return 503;
      const event = webhook.verify(body, headers) as SyncEvent;
      // The same delivery may come twice.
      const id = headers['webhook-id'] ?? '';
      if (!seen.has(id)) eventOf(event.data.syncRunId).resolve(event);
      seen.add(id);
      return 204;
    } catch (reason) {
      refuse(body, reason);
      return 400;
    }
  };

  const server = createServer(async (request, response) => {
    response.writeHead(await receive(request)).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    trust: (secret) => {
      webhook = new Webhook(secret);
    },
    eventOf: (runId) =>
      Promise.race([
        eventOf(runId).promise,
        sleep(EVENT_TIMEOUT_MS, undefined, { ref: false }).then(() => {
          throw new Error(`no event of run ${runId} came in ${EVENT_TIMEOUT_MS / 1000} s`);
        }),
      ]),
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
};
