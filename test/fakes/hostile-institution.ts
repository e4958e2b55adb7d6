/**
 * A server instead of an institution: it answers every request that carries a password as the test says, and counts
 * these requests.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers one request, or never answers. */
export type Hostility = (request: IncomingMessage, response: ServerResponse) => void;

const FIREWALL = '<html><head><title>Request Rejected</title></head><body>Support ID: 4711</body></html>';

const answer =
  (status: number, body: string, headers: Record<string, string> = {}): Hostility =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html', connection: 'close', ...headers }).end(body);
  };
const json = (status: number, body: unknown): Hostility =>
  answer(status, JSON.stringify(body), { 'content-type': 'application/json' });

/** Answers that no adapter knows, from the login or from a system in front of it. */
export const HOSTILE_ANSWERS: Readonly<Record<string, Hostility>> = {
  'HTTP 401 with an unknown code': json(401, { codigo: 'OTRA_COSA', error: 'something_else' }),
  'HTTP 401 with a page': answer(401, FIREWALL),
  'HTTP 403 with a page': answer(403, FIREWALL),
  'HTTP 403 with an unknown code': json(403, { codigo: 'POLITICA' }),
  'a page of a firewall, with HTTP 200': answer(200, FIREWALL),
  'HTTP 500': json(500, { codigo: 'INTERMITENCIA' }),
  'HTTP 502 with a page': answer(502, FIREWALL),
  'HTTP 503 without a body': answer(503, ''),
  'HTTP 429': json(429, {}),
  'HTTP 404': json(404, { codigo: 'NO_EXISTE' }),
  'an unknown code, with HTTP 200': json(200, { codigo: 'NUEVO', estado: 'NUEVO' }),
  'nothing, with HTTP 200': answer(200, ''),
  'half an answer': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"estado":');
    setImmediate(() => response.destroy());
  },
  'a reset connection': (request) => {
    request.socket.destroy();
  },
  'no answer': () => {},
  'a redirect elsewhere': answer(302, '', { location: 'https://elsewhere.example/' }),
  'a redirect to itself': (request, response) => answer(302, '', { location: request.url! })(request, response),
  'a redirect that repeats the body': (request, response) =>
    answer(307, '', { location: request.url! })(request, response),
};

export interface HostileInstitution {
  url: string;
  /** Number of requests that carried the password. */
  readonly passwords: number;
  answer(hostility: Hostility): void;
  close(): Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
};

/** Whether the text contains the password as a form, a URL, JSON or HTTP Basic encodes it. */
const carries = (text: string, password: string): boolean => {
  const spellings = [password, encodeURIComponent(password), Buffer.from(password, 'utf8').toString('latin1')];
  const latin = [...Buffer.from(password, 'latin1')].map((byte) =>
    byte < 128 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`,
  );
  return [...spellings, latin.join('')].some((spelling) => text.includes(spelling));
};

export const startHostileInstitution = async (password: string): Promise<HostileInstitution> => {
  let passwords = 0;
  let hostility: Hostility = answer(500, '');
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const said = [request.url, body, Buffer.from(basic, 'base64').toString('utf8')].join('\n');
    if (!carries(said, password)) return answer(200, '<html><body></body></html>')(request, response);
    passwords++;
    hostility(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get passwords() {
      return passwords;
    },
    answer: (next) => {
      hostility = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
