/** A bucket's endpoint that serves the objects of a map, because readers follow signed links and use no client. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ObjectServer {
  close(): Promise<void>;
}

/** Points the process's links at it. A link without a signature is refused, as by S3. */
export const serveObjects = async (find: (key: string) => Uint8Array | undefined): Promise<ObjectServer> => {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://bucket');
    const [, , ...key] = pathname.split('/').map(decodeURIComponent);
    if (!searchParams.has('X-Amz-Signature')) return response.writeHead(403).end();
    const object = find(key.join('/'));
    return object ? response.writeHead(200).end(object) : response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const before = process.env.AWS_ENDPOINT_URL_S3;
  process.env.AWS_ENDPOINT_URL_S3 = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    close: async () => {
      if (before === undefined) delete process.env.AWS_ENDPOINT_URL_S3;
      else process.env.AWS_ENDPOINT_URL_S3 = before;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
