/**
 * A server may close a connection that was unused at the moment in which a client sends its next request on it (reported
 * as nodejs/node#35526 and #47130). For a login the loss would count as an unclear answer to a password.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpClient } from '#shared/sources/http/client.ts';
import { createIo } from './ask.ts';

const HOSTS = { portal: 'https://portal.example.cl' };
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

let sockets = 0;
let server: Server;
/** Answers one request on each connection, and closes the connection at the second one. */
beforeAll(async () => {
  server = createServer((socket) => {
    sockets++;
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.write(OK);
        socket.once('data', () => socket.destroy());
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());

test('a login has a connection of its own', async () => {
  const io = createIo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const client = createHttpClient({ hosts: HOSTS, io });
  const url = `${HOSTS.portal}/login`;
  try {
    await client.call({ what: 'page', url });
    const answer = await client.call({ what: 'login', url, method: 'POST', body: 'clave', isLogin: true });
    expect([answer.text(), sockets]).toEqual(['ok', 2]);
    // Any other call may meet the end of the connection, and is repeated by the engine.
    await expect(client.call({ what: 'rows', url })).rejects.toMatchObject({ code: 'source.unavailable' });
  } finally {
    await client.close();
  }
});
