/** Connections to servers of other people, over real sockets on loopback. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createConnections, type HttpConnections } from '#shared/transport/connections.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

interface TestServer {
  origin: string;
  port: number;
  requests: string[];
  connections: number;
  sockets: Socket[];
}

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

/** Answers the n-th request with the n-th answer, or with the last one. */
const serve = async (answers: readonly string[]): Promise<TestServer> => {
  const running: TestServer = { origin: '', port: 0, requests: [], connections: 0, sockets: [] };
  const server: Server = createServer((socket) => {
    running.connections++;
    running.sockets.push(socket);
    socket
      .on('error', () => {})
      .on('data', (data) => {
        socket.write(answers[Math.min(running.requests.length, answers.length - 1)]!, 'latin1');
        running.requests.push(data.toString());
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ended.push(() => {
    server.close();
    for (const socket of running.sockets) socket.destroy();
  });
  running.port = (server.address() as AddressInfo).port;
  running.origin = `http://127.0.0.1:${running.port}`;
  return running;
};

const open = (isKept = true): HttpConnections => {
  const connections = createConnections({ timeoutMs: 5_000, isKept });
  ended.push(connections.close);
  return connections;
};

const get = (connections: HttpConnections, origin: string, signal = AbortSignal.timeout(5_000)): Promise<string> =>
  connections.request({ url: new URL('/a', origin), method: 'GET', headers: {}, signal }, async ({ body }) => {
    let text = '';
    for await (const chunk of body) text += Buffer.from(chunk).toString();
    return text;
  });

describe('a connection', () => {
  it('serves many calls, one after another, without a listener left behind', async () => {
    const warned = vi.fn();
    process.on('warning', warned);
    const server = await serve([OK]);
    const connections = open();
    expect(await Promise.all(Array.from({ length: 30 }, () => get(connections, server.origin)))).toEqual(
      Array.from({ length: 30 }, () => 'ok'),
    );
    expect(server).toMatchObject({ connections: 1 });
    expect(server.requests[0]).toBe(
      `GET /a HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: keep-alive\r\n\r\n`,
    );
    process.off('warning', warned);
    expect(warned).not.toHaveBeenCalled();
  });

  it('serves one call if it is not kept', async () => {
    const server = await serve([OK]);
    const connections = open(false);
    for (let n = 0; n < 2; n++) await get(connections, server.origin);
    expect(server.connections).toBe(2);
    expect(server.requests[0]).toContain('connection: close\r\n');
  });

  it.each([
    ['has bytes left', `${OK}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`],
    ['says close', 'HTTP/1.1 200 OK\r\nconnection: Close\r\ncontent-length: 2\r\n\r\nok'],
    ['is HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok'],
    [
      'has a length next to chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
  ])('does not serve again after an answer that %s', async (_, answer) => {
    const server = await serve([answer, OK]);
    const connections = open();
    expect([await get(connections, server.origin), await get(connections, server.origin)]).toEqual(['ok', 'ok']);
    expect(server.connections).toBe(2);
  });

  it('does not serve again after a body that was not read', async () => {
    const server = await serve([OK]);
    const connections = open();
    const call = {
      url: new URL(server.origin),
      method: 'GET',
      headers: {},
      signal: AbortSignal.timeout(5_000),
    } as const;
    expect(await connections.request(call, async ({ status }) => status)).toBe(200);
    expect(await get(connections, server.origin)).toBe('ok');
    expect(server.connections).toBe(2);
  });

  it.each([
    ['the server closed it', (socket: Socket) => socket.end()],
    ['the server sent something unasked', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nevil')],
  ])('is replaced when %s meanwhile', async (_, meanwhile) => {
    const server = await serve([OK]);
    const connections = open();
    await get(connections, server.origin);
    const closed = once(server.sockets[0]!, 'close');
    meanwhile(server.sockets[0]!);
    await closed;
    expect(await get(connections, server.origin)).toBe('ok');
    expect(server.connections).toBe(2);
  });

  it('is closed when a call is given up, and the next call waits no longer', async () => {
    const server = await serve(['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', OK]);
    const connections = open();
    const giveUp = new AbortController();
    const first = get(connections, server.origin, giveUp.signal);
    const second = get(connections, server.origin);
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    giveUp.abort(new Error('out of time'));
    await expect(first).rejects.toThrow('out of time');
    expect(await second).toBe('ok');
  });

  it('ends a call that is under way when all are closed', async () => {
    const server = await serve(['']);
    const connections = open();
    const running = get(connections, server.origin);
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    connections.close();
    await expect(running).rejects.toMatchObject({ code: 'ANSWER_MISSING' });
  });

  it.each([
    ['x-odd', 'a\r\nevil: 1'],
    ['x odd', 'a'],
  ])('sends no header that breaks the request: %s', async (name, value) => {
    const server = await serve([OK]);
    const url = new URL(server.origin);
    const call = { url, method: 'GET', headers: { [name]: value }, signal: AbortSignal.timeout(5_000) } as const;
    await expect(open().request(call, async () => 0)).rejects.toMatchObject({ name: 'TypeError' });
    expect(server.connections).toBe(0);
  });
});
