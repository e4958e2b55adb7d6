/**
 * Bytes that a webhook attempt sends over TLS, as the receiver's socket counts them: handshake, head and body, without
 * packet headers.
 */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { attemptWebhook } from '#shared/webhooks/http-attempt.ts';
import { selfSigned } from '#test/integration/webhooks/certificate.ts';
import type { Received } from '#test/integration/webhooks/receiver.ts';

const OURS = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** @param received the request to send again */
export const bytesOfAttempt = async ({ headers, body }: Received): Promise<number> => {
  const certificate = selfSigned('127.0.0.1');
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  const server = createServer(certificate, (_, response) => response.writeHead(204).end());
  const counted = Promise.withResolvers<number>();
  server.on('connection', (socket: Socket) => socket.once('close', () => counted.resolve(socket.bytesRead)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const named = Object.fromEntries(OURS.map((name) => [name, String(headers[name])]));
  const options = { policy: { isLoopbackHttpAllowed: false }, isAllowed: () => true };
  const result = await attemptWebhook({ url, headers: named, body }, options);
  if (!result.ok) throw new Error(`the attempt over TLS failed: ${result.error}`);
  const bytes = await counted.promise;
  server.close();
  return bytes;
};
