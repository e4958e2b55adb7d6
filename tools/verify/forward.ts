/** Forwards a request unchanged to the emulator; the host selects the service. */
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';

/** @param headers replacements of the original headers, by lower-case name */
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
