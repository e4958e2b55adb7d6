/**
 * HTTP/1.1 client for servers that other people run: institutions, webhook receivers, publishers of client documents.
 * It reads what curl reads, including answers that Node's parsers refuse.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import { judgeFraming, keepsConnection } from './answer-head.ts';
import { AnswerReader } from './answer-reader.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { AnswerUnreadable } from './faults.ts';
import { TRANSPORT_LIMITS } from './limits.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface OutgoingRequest {
  url: URL;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Without `host`, `connection` and the headers that say how the body ends. */
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | undefined;
  signal: AbortSignal;
  /** True for a call that must not be lost because the server closes an unused connection at the same moment. */
  isOnNewConnection?: boolean;
  /** Called just before the first byte is sent. */
  onSent?: () => void;
}

export interface IncomingAnswer {
  status: number;
  /** By name in lower case; the values of repeated headers are joined by a comma. */
  headers: Record<string, string>;
  /** Each value of `set-cookie`. */
  cookies: string[];
  /** Not decompressed. Throws `AnswerUnreadable` if the body does not end as the head says. */
  body: AsyncIterable<Uint8Array>;
}

export interface HttpConnections {
  /**
   * Calls the server and passes the answer to `use`. The connection serves again when `use` has read the whole body.
   * Calls of one origin follow one after another.
   * @throws ConnectFailed, ConnectTimedOut, DestinationBlocked, AnswerUnreadable, the error of the connection, or the
   *   signal's reason
   */
  request<Result>(call: OutgoingRequest, use: (answer: IncomingAnswer) => Promise<Result>): Promise<Result>;
  close(): void;
}

export interface HttpConnectionsOptions extends ConnectOptions {
  /** False if each call has a connection of its own, and says so to the server. */
  isKept: boolean;
}

interface OpenConnection {
  socket: Socket;
  reader: AnswerReader;
}

/** The unused connection to an origin, and the end of the latest call. */
interface Lane {
  idle: OpenConnection | undefined;
  latest: Promise<unknown>;
}

const formatRequest = ({ url, method, headers, body }: OutgoingRequest, isKept: boolean): Buffer => {
  const all: Record<string, string> = { host: url.host, connection: isKept ? 'keep-alive' : 'close', ...headers };
  const bytes = Buffer.from(body ?? '');
  if (body !== undefined || method !== 'GET') all['content-length'] = String(bytes.length);
  for (const [name, value] of Object.entries(all)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
};

/** Reads the answer to a request that was sent. The result says whether another call may use the connection. */
const readAnswer = async <Result>(
  { socket, reader }: OpenConnection,
  use: (answer: IncomingAnswer) => Promise<Result>,
) => {
  const head = await reader.readHead();
  const framing = judgeFraming(head);
  let isWhole = false;
  const readBody = async function* (): AsyncGenerator<Uint8Array> {
    yield* reader.readBody(framing);
    isWhole = true;
  };
  const { status, headers, cookies } = head;
  const result = await use({ status, headers, cookies, body: readBody() });
  const isReusable = isWhole && keepsConnection(head, framing) && !reader.hasUnread && !socket.destroyed;
  return { result, isReusable };
};

export const createConnections = (options: HttpConnectionsOptions): HttpConnections => {
  const lanes = new Map<string, Lane>();
  const closing = new AbortController();

  const openConnection = async (url: URL, signal: AbortSignal): Promise<OpenConnection> => {
    const socket = await connect(url, options, signal);
    socket.on('timeout', () => socket.destroy());
    return { socket, reader: new AnswerReader(socket) };
  };

  const takeIdle = (lane: Lane, { isOnNewConnection }: OutgoingRequest): OpenConnection | undefined => {
    const { idle } = lane;
    lane.idle = undefined;
    if (isOnNewConnection) idle?.socket.destroy();
    // Bytes that nobody asked for are not the beginning of the next answer.
    if (idle !== undefined && idle.socket.readableLength > 0) idle.socket.destroy();
    if (idle === undefined || idle.socket.destroyed) return undefined;
    idle.socket.setTimeout(0).ref();
    return idle;
  };

  const rest = (lane: Lane, connection: OpenConnection): void => {
    const { socket, reader } = connection;
    lane.idle = connection;
    socket.setTimeout(TRANSPORT_LIMITS.idleMs).unref();
    reader.watch(() => socket.destroy());
  };

  const callOn = async <Result>(
    lane: Lane,
    call: OutgoingRequest,
    use: (answer: IncomingAnswer) => Promise<Result>,
  ): Promise<Result> => {
    const request = formatRequest(call, options.isKept);
    const signal = AbortSignal.any([call.signal, closing.signal]);
    signal.throwIfAborted();
    const connection = takeIdle(lane, call) ?? (await openConnection(call.url, signal));
    const { socket } = connection;
    const stop = (): void => void socket.destroy(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    let isReusable = false;
    try {
      signal.throwIfAborted();
      call.onSent?.();
      socket.write(request);
      const answered = await readAnswer(connection, use);
      isReusable = options.isKept && answered.isReusable;
      return answered.result;
    } finally {
      signal.removeEventListener('abort', stop);
      if (isReusable && !signal.aborted) rest(lane, connection);
      else socket.destroy();
    }
  };

  return {
    request: async (call, use) => {
      const { origin } = call.url;
      const lane = lanes.get(origin) ?? { idle: undefined, latest: Promise.resolve() };
      lanes.set(origin, lane);
      const before = lane.latest;
      const ended = Promise.withResolvers<void>();
      lane.latest = Promise.all([before, ended.promise]);
      try {
        await unlessAborted(call.signal, before);
        return await callOn(lane, call, use);
      } finally {
        ended.resolve();
      }
    },
    close: () => {
      closing.abort(new AnswerUnreadable('ANSWER_MISSING'));
      for (const { idle } of lanes.values()) idle?.socket.destroy();
    },
  };
};
