/** A name with several addresses, of which some are silent, slow or refuse. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type LookupFunction, type Socket, type TcpSocketConnectOpts } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { connect } from '#shared/transport/connect.ts';

const SILENT = '192.0.2.1';
/** Its first packet is lost, so it answers later than Node's own limit of 250 ms for an address. */
const SLOW = '192.0.2.2';
const SLOW_MS = 500;
/** Nobody listens there. */
const REFUSED = '127.0.0.2';

vi.mock('node:net', async (original) => {
  const net = await original<typeof import('node:net')>();
  const connectMocked = (options: TcpSocketConnectOpts): Socket => {
    if (options.host !== SILENT && options.host !== SLOW) return net.connect(options);
    const socket = new net.Socket();
    if (options.host === SLOW) setTimeout(() => socket.connect({ ...options, host: '127.0.0.1' }), SLOW_MS);
    return socket;
  };
  return { ...net, connect: connectMocked };
});

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

const leadingTo = (addresses: readonly string[]): LookupFunction =>
  ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    )) as unknown as LookupFunction;

/** @returns the milliseconds until the connection */
const connectTo = async (addresses: readonly string[], timeoutMs = 5_000): Promise<number> => {
  const server = createServer((socket) => socket.on('error', () => {}).resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ended.push(() => server.close());
  const url = new URL(`http://name.example:${(server.address() as AddressInfo).port}/`);
  const startedMs = performance.now();
  const options = { timeoutMs, lookup: leadingTo(addresses) };
  const socket = await connect(url, options, new AbortController().signal);
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
  return performance.now() - startedMs;
};

it.each([[[SILENT, '127.0.0.1']], [[REFUSED, '127.0.0.1']], [[REFUSED, SILENT, '127.0.0.1']], [['127.0.0.1', SILENT]]])(
  '%j: the address that answers is used',
  async (addresses) => {
    expect(await connectTo(addresses)).toBeLessThan(4_000);
  },
);

it.each([[[SLOW]], [[SLOW, REFUSED]], [[REFUSED, SLOW]], [[SLOW, SILENT]], [[SLOW, REFUSED, REFUSED]]])(
  '%j: the slow address has the time that it needs',
  async (addresses) => {
    expect(await connectTo(addresses)).toBeGreaterThanOrEqual(SLOW_MS - 5);
  },
);

it.each([[[SILENT]], [[SILENT, REFUSED]], [[REFUSED, SILENT]]])('%j: all of the time is used', async (addresses) => {
  await expect(connectTo(addresses, 400)).rejects.toMatchObject({ name: 'ConnectTimedOut' });
});

it('fails at once when all addresses refuse', async () => {
  const failure = { step: 'connect', code: 'ECONNREFUSED' };
  await expect(connectTo([REFUSED, REFUSED])).rejects.toMatchObject(failure);
});
