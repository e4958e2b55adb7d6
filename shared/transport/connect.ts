/**
 * Connects to the server of a URL. The peer is checked before the first byte is sent, which with TLS belongs to the
 * handshake.
 */
import { lookup as systemLookup } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { ConnectFailed, type ConnectStep, ConnectTimedOut, DestinationBlocked, readErrorCode } from './faults.ts';
import { TRANSPORT_LIMITS } from './limits.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface ConnectOptions {
  timeoutMs: number;
  lookup?: LookupFunction | undefined;
  /** Decides whether a connection to this address may be used. */
  isAllowed?: ((url: URL, address: string | undefined) => boolean) | undefined;
}

/** Returns the host of a parsed URL, without the brackets of an IPv6 literal. */
export const readHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** Returns the name for the TLS handshake, which has no dot at its end (RFC 6066 §3); undefined for an address. */
const serverName = (host: string): string | undefined => (isIP(host) === 0 ? host.replace(/\.$/, '') : undefined);

const failure = (step: ConnectStep, error: unknown): Error =>
  error instanceof DestinationBlocked ? error : new ConnectFailed(step, readErrorCode(error));

const resolveAddresses = (host: string, lookup: LookupFunction): Promise<string[]> =>
  new Promise((resolve, reject) => {
    if (isIP(host) !== 0) return resolve([host]);
    lookup(host, { all: true }, (error, found) => {
      if (error) return reject(failure('dns', error));
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [];
      return addresses.length === 0 ? reject(new ConnectFailed('dns', 'ENOTFOUND')) : resolve(addresses);
    });
  });

/**
 * Connects to the first address that answers. A slow address stays in the race while the next ones are tried, so a name
 * with several addresses has as much time as a name with one.
 */
const raceAddresses = (addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const waiting = [...addresses.slice(0, TRANSPORT_LIMITS.addressesMax)];
    const sockets = new Set<Socket>();
    let firstError: unknown;
    let timer: NodeJS.Timeout | undefined;
    const end = (winner?: Socket): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      for (const socket of sockets) if (socket !== winner) socket.destroy();
      sockets.clear();
      if (winner) resolve(winner);
      else reject(signal.aborted ? signal.reason : failure('connect', firstError));
    };
    const stop = (): void => end();
    const tryNext = (): void => {
      clearTimeout(timer);
      const host = waiting.shift();
      if (host === undefined) {
        if (sockets.size === 0) end();
        return;
      }
      const socket = connectTcp({ host, port, noDelay: true });
      sockets.add(socket);
      socket.once('connect', () => end(socket));
      socket.on('error', (error) => {
        firstError ??= error;
        if (sockets.delete(socket)) tryNext();
      });
      if (waiting.length > 0) timer = setTimeout(tryNext, TRANSPORT_LIMITS.nextAddressMs);
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', stop, { once: true });
    tryNext();
  });

const secure = (socket: Socket, host: string): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const servername = serverName(host);
    const secured = connectTls({
      socket,
      host,
      ...(servername !== undefined && { servername }),
      ALPNProtocols: ['http/1.1'],
      // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn the certificate check off.
      rejectUnauthorized: true,
    });
    secured.on('error', (error) => reject(failure('tls', error)));
    secured.once('secureConnect', () => resolve(secured));
  });

const open = async (url: URL, options: ConnectOptions, signal: AbortSignal): Promise<Socket> => {
  const host = readHost(url);
  const lookup = options.lookup ?? (systemLookup as LookupFunction);
  const addresses = await unlessAborted(signal, resolveAddresses(host, lookup));
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const socket = await raceAddresses(addresses, port, signal);
  try {
    if (options.isAllowed?.(url, socket.remoteAddress) === false) throw new DestinationBlocked();
    return url.protocol === 'http:' ? socket : await unlessAborted(signal, secure(socket, host));
  } catch (error) {
    socket.destroy();
    throw error;
  }
};

/**
 * @throws ConnectFailed, ConnectTimedOut, DestinationBlocked, or the signal's reason
 */
export const connect = async (url: URL, options: ConnectOptions, signal: AbortSignal): Promise<Socket> => {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(new ConnectTimedOut()), options.timeoutMs);
  try {
    signal.throwIfAborted();
    return await open(url, options, AbortSignal.any([signal, giveUp.signal]));
  } finally {
    clearTimeout(timer);
  }
};
