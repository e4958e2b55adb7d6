/** Receivers of webhooks that verify their requests, and their endpoints. */

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { newId } from '#shared/platform/ids.ts';
import type { EventType } from '#shared/values/event-types.ts';
import { newEndpoint } from '#shared/webhooks/endpoint.rules.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { newSecret } from '#shared/webhooks/signing.ts';

export interface Receiver {
  url: string;
  secret: string;
  /** First verified arrivals, in epoch ms, by delivery. */
  arrivals: Map<string, number>;
  /** Resolves when this delivery has arrived. */
  arrival(id: string): Promise<void>;
  stop(): Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

export const startReceiver = async (): Promise<Receiver> => {
  const secret = newSecret();
  const verifier = new Webhook(secret);
  const arrivals = new Map<string, number>();
  const awaited = new Map<string, () => void>();
  const server = createServer(async (request, response) => {
    const atMs = Date.now();
    try {
      verifier.verify(await bodyOf(request), request.headers as Record<string, string>);
    } catch {
      return response.writeHead(400).end();
    }
    const id = String(request.headers['webhook-id']);
    if (!arrivals.has(id)) arrivals.set(id, atMs);
    awaited.get(id)?.();
    awaited.delete(id);
    response.writeHead(204).end();
  });
  server.on('connection', (socket) => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    secret,
    arrivals,
    arrival: (id) => (arrivals.has(id) ? Promise.resolve() : new Promise((resolve) => awaited.set(id, resolve))),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

/** Returns the endpoint's id. */
export const subscribe = async (organizationId: string, { url, secret }: Receiver): Promise<string> => {
  const id = newId();
  const encrypted = await encryptSecret(organizationId, secretResource.webhook(id), secret);
  const eventTypes: EventType[] = ['sync.succeeded'];
  await webhooks.create(
    newEndpoint({ organizationId, id, url, eventTypes, createdAt: nowIso() }),
    encrypted,
    BY_SERVICE,
  );
  return id;
};
