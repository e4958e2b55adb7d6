/**
 * Receivers of webhooks on loopback: a well-behaved one that stores its requests, and any other, given as a function.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { TestCertificate } from './certificate.ts';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** Connections accepted so far, also those without a request. */
  connections(): number;
  /** Bytes that reached a raw receiver. */
  bytes(): number;
  stop(): Promise<void>;
}

const listen = async (server: TcpServer, received: Received[], scheme: string): Promise<Receiver> => {
  let connections = 0;
  let bytes = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    const read = socket.bytesRead;
    socket.on('close', () => {
      bytes += socket.bytesRead - read;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}/hook?from=test`,
    port,
    received,
    connections: () => connections,
    bytes: () => bytes,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

const reading = (received: Received[], answer: RequestListener): RequestListener => {
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, path: url, headers, body: Buffer.concat(chunks) });
      answer(request, response);
    });
  };
};

/** Reads the whole request, stores it, then answers. */
export const startReceiver = async (answer: RequestListener, tls?: TestCertificate & TlsOptions): Promise<Receiver> => {
  const received: Received[] = [];
  const listener = reading(received, answer);
  const server: Server = tls ? (createTlsServer(tls, listener) as unknown as Server) : createServer(listener);
  return listen(server, received, tls ? 'https' : 'http');
};

/** A receiver whose TCP answers the test controls. */
export const startRawReceiver = async (talk: (socket: Socket) => void, scheme = 'http'): Promise<Receiver> => {
  const server = createTcpServer(talk);
  return listen(server, [], scheme);
};
