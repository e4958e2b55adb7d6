/**
 * Forwards a request to the emulator, unchanged except for the given headers. The header `host` selects the emulator's
 * service.
 */
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';

/** @param headers headers by lower-case name, which replace the original headers */
export const forward = (
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: string,
  headers: Readonly<Record<string, string>>,
): void => {
  const { hostname, port } = new URL(endpoint);
  const { method, url: path } = request;
  const onward = ask({ hostname, port, path, method, headers: { ...request.headers, ...headers } }, (answer) => {
    response.writeHead(answer.statusCode!, answer.rawHeaders);
    answer.pipe(response);
  });
  onward.on('error', () => response.writeHead(502).end());
  request.pipe(onward);
};
