/**
 * Connects to a webhook's receiver. This connector replaces undici's connector for two reasons. The peer must be
 * checked before the first byte, and with TLS the first byte belongs to the handshake. The caller must know at which
 * step a connection failed.
 */

import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { AppError } from '#shared/values/app-error.ts';
import { DestinationBlocked, isAllowedPeer, readHost, safeLookup } from './safe-destination.ts';

export type ConnectStep = 'dns' | 'connect' | 'tls';

/** The connection failed. */
export class ConnectFailed extends AppError {
  readonly step: ConnectStep;
  /** Code of the error, for example `ECONNREFUSED` or `CERT_HAS_EXPIRED`. It never contains text from the peer. */
  readonly code: string;
  constructor(step: ConnectStep, code: string) {
    super(`${step} ${code}`);
    this.step = step;
    this.code = code;
  }
}

/** Connecting took longer than the limit. */
export class ConnectTimedOut extends AppError {}

export interface ConnectOptions {
  timeoutMs: number;
  lookup?: LookupFunction | undefined;
  /** Replaces the address check, for tests of https against this machine. */
  isAllowed?: ((url: URL, address: string | undefined) => boolean) | undefined;
}

const CODE = /^[A-Z][A-Z0-9_]{2,60}$/;

/**
 * Returns the code of OpenSSL, Node or the system. If several addresses were tried, one error contains the errors of
 * all addresses.
 */
export const readErrorCode = (error: unknown): string => {
  const { code, errors } = error as { code?: unknown; errors?: unknown[] };
  if (typeof code === 'string' && CODE.test(code)) return code;
  return Array.isArray(errors) && errors.length > 0 ? readErrorCode(errors[0]) : 'UNKNOWN';
};

const failure = (step: ConnectStep, error: unknown): Error => {
  if (error instanceof DestinationBlocked) return error;
  const isDns = (error as { syscall?: unknown }).syscall === 'getaddrinfo' || readErrorCode(error) === 'ENOTFOUND';
  return new ConnectFailed(step === 'connect' && isDns ? 'dns' : step, readErrorCode(error));
};

/** Returns a connector for one undici client and one URL. */
export const connector = (url: URL, options: ConnectOptions): buildConnector.connector => {
  const host = readHost(url);
  const isAllowed = options.isAllowed ?? isAllowedPeer;
  return (_, callback) => {
    let step: ConnectStep = 'connect';
    let socket: Socket = connectTcp({
      host,
      port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
      // Node does not call `lookup` for literal addresses. Literal addresses are checked with the URL.
      lookup: options.isAllowed && !options.lookup ? undefined : safeLookup(options.lookup),
      noDelay: true,
    });
    const end = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      callback(error, null);
    };
    const done = (): void => {
      clearTimeout(timer);
      socket.removeListener('error', onError);
      callback(null, socket);
    };
    const onError = (error: unknown): void => end(failure(step, error));
    const timer = setTimeout(() => end(new ConnectTimedOut()), options.timeoutMs);
    socket.once('error', onError);
    socket.once('connect', () => {
      if (!isAllowed(url, socket.remoteAddress)) return end(new DestinationBlocked());
      if (url.protocol === 'http:') return done();
      step = 'tls';
      socket.removeListener('error', onError);
      socket = connectTls({
        socket,
        host,
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ALPNProtocols: ['http/1.1'],
        // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn the certificate check off.
        rejectUnauthorized: true,
      });
      socket.once('error', onError);
      socket.once('secureConnect', done);
    });
  };
};
