/** A server on loopback that sends answers byte for byte: the request of `/<n>` gets the answer with this number. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { RawAnswer } from '#test/fixtures/raw-answers/answers.ts';

export interface RawServer {
  origin: string;
  stop(): void;
}

const isWhole = (request: string): boolean => {
  const end = request.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = Number(/^content-length: *(\d+)/im.exec(request.slice(0, end))?.[1] ?? 0);
  return request.length >= end + 4 + length;
};

const send = async (socket: Socket, { packets, staysOpen }: RawAnswer): Promise<void> => {
  for (const packet of packets) {
    await new Promise((resolve) => socket.write(packet, 'latin1', resolve));
    // The kernel hands over each packet before the next is written.
    await turn();
  }
  if (!staysOpen) socket.end();
};

export const startRawServer = async (answers: readonly RawAnswer[]): Promise<RawServer> => {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    let request = '';
    socket.on('data', (data) => {
      request += data.toString('latin1');
      if (!isWhole(request)) return;
      const answer = answers[Number(/^\w+ \/(\d+)/.exec(request)?.[1])];
      request = '';
      if (answer) void send(socket, answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
