/** HTTP servers that only this machine can reach. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer {
  /** Origin without trailing slash. */
  url: string;
  /** Closes the server and also its open connections. */
  close(): Promise<void>;
}

/**
 * Starts to listen on 127.0.0.1; rejects when the port is taken.
 * @param port 0 for any free port
 */
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

/** Returns a port that was free when it was checked, for child processes that cannot receive a listening socket. */
export const freePort = async (): Promise<number> => {
  const { url, close } = await listenOnLoopback(createServer());
  await close();
  return Number(new URL(url).port);
};
