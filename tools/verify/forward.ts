/** A request as it came, to the emulator: which of its services is meant, the host says. */
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';

/** @param headers in place of those that came, by lower-case name */
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
