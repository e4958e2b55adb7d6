/** HTTP servers of this machine alone. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer {
  /** Origin, no trailing slash. */
  url: string;
  /** Ends open connections, too. */
  close(): Promise<void>;
}

/** @param port 0 takes any free one; rejects when the port is taken. */
export const listenOnLoopback = async (server: Server, port = 0): Promise<LoopbackServer> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** A port that was free a moment ago: for children that cannot be given a listening socket. */
export const freePort = async (): Promise<number> => {
  const { url, close } = await listenOnLoopback(createServer());
  await close();
  return Number(new URL(url).port);
};
