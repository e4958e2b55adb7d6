/**
 * API Gateway's HTTP API in front of the functions; architecture.md §7.3 lists what it simulates. The gateway's own
 * refusals have AWS's body `{message}`. Refusals of a function have the service's envelope.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServeAgent } from './agent-front.ts';
import { LOCAL_ACCOUNT } from './assembly.ts';
import type { VirtualClock } from './clock.ts';
import type { FunctionPool } from './functions.ts';
import { GATEWAY_MESSAGES, type GatewayStatus, gatewayAnswer, type HttpAnswer, send, toAnswer } from './http-answer.ts';
import { toEvent } from './http-event.ts';
import { createRouter } from './http-routes.ts';
import { createThrottle } from './http-throttle.ts';
import { type LoopbackServer, listenOnLoopback } from './loopback-server.ts';
import type { ApiModel } from './model.ts';
import type { ServePage } from './web-page.ts';

const GATEWAY_BODY_BYTES_MAX = 10 * 1024 * 1024;
/** Longest timeout of an integration on AWS, which is also the default. */
const INTEGRATION_TIMEOUT_MS = 30_000;
const LAMBDA_EVENT_BYTES_MAX = 6 * 1024 * 1024;
/** Highest number of bytes of request line and headers together. */
const HEADER_BYTES_MAX = 10_240;
/**
 * Node must accept larger headers than the gateway. Otherwise Node would send its own response instead of the
 * gateway's.
 */
const NODE_HEADER_BYTES_MAX = 64 * 1024;

/** Answers requests to `/_local/*`, a path that does not exist on AWS. */
export type LocalHandler = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;

interface HttpApiOptions {
  clock: VirtualClock;
  functions: FunctionPool;
  /** Timeout of an integration in ms; tests set a shorter timeout. */
  timeoutMs?: number;
  local?: LocalHandler;
  /** `page` serves the dashboard, and `front` answers agents without a token; on AWS CloudFront does both. */
  page?: ServePage;
  front?: ServeAgent;
}

class GatewayRefusal extends Error {
  readonly status: GatewayStatus;
  constructor(status: GatewayStatus) {
    super(GATEWAY_MESSAGES[status]);
    this.name = 'Refused';
    this.status = status;
  }
}

const headerBytes = (request: IncomingMessage): number =>
  `${request.method} ${request.url} HTTP/1.1\r\n`.length +
  // The size of each header line includes a colon, a blank and a line end.
  request.rawHeaders.reduce((sum, text) => sum + Buffer.byteLength(text, 'latin1') + 2, 0);

/** Resolves with the body. Throws `GatewayRefusal` 413 above the gateway's limit. */
export const readBody = async (request: IncomingMessage, bytesMax: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // The rest of a body that is too large is read to its end, because a client that is still sending would not see the
    // response.
    if (bytes <= bytesMax) chunks.push(chunk);
  }
  if (bytes > bytesMax) throw new GatewayRefusal(413);
  return Buffer.concat(chunks);
};

/** Matches the origin in a request target: a request to a proxy contains the whole URL (RFC 9112 §3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Splits a request target into path and query. Throws `GatewayRefusal` 400 for a path that is not percent-encoded
 * UTF-8.
 */
const splitUrl = (target: string): { path: string; rawQuery: string } => {
  const url = target.replace(ORIGIN, '');
  const at = url.indexOf('?');
  const rawQuery = at < 0 ? '' : url.slice(at + 1);
  try {
    return { path: decodeURIComponent(at < 0 ? url : url.slice(0, at)), rawQuery };
  } catch {
    throw new GatewayRefusal(400);
  }
};

/** Resolves to `undefined` after the timeout. The invocation itself continues, as on AWS. */
const withinTimeout = async <T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

interface ServedApi {
  api: ApiModel;
  route: ReturnType<typeof createRouter>;
  mayPass: ReturnType<typeof createThrottle>;
}

const answerOf = async (
  { api, route, mayPass }: ServedApi,
  request: IncomingMessage,
  requestId: string,
  options: HttpApiOptions,
): Promise<HttpAnswer> => {
  if (request.headers.host === undefined && request.httpVersion === '1.1') throw new GatewayRefusal(400);
  if (headerBytes(request) > HEADER_BYTES_MAX) throw new GatewayRefusal(431);
  const { path, rawQuery } = splitUrl(request.url ?? '/');
  const matched = route(request.method ?? 'GET', path);
  const body = await readBody(request, GATEWAY_BODY_BYTES_MAX);
  if (!mayPass()) throw new GatewayRefusal(429);
  const event = toEvent(
    request,
    body,
    { path, rawQuery, matched },
    { apiId: api.id, account: LOCAL_ACCOUNT, stage: api.stage, requestId, nowMs: options.clock.nowMs() },
  );
  if (Buffer.byteLength(JSON.stringify(event)) > LAMBDA_EVENT_BYTES_MAX) throw new GatewayRefusal(413);
  const { functions, timeoutMs = INTEGRATION_TIMEOUT_MS } = options;
  const result = await withinTimeout(functions.invoke(matched.route.functionArn, event, 'api'), timeoutMs);
  if (!result) throw new GatewayRefusal(503);
  return 'json' in result ? toAnswer(result.json) : gatewayAnswer(500);
};

const refuseOn = (socket: Duplex, status: GatewayStatus): void => {
  if (!socket.writable) return;
  const body = JSON.stringify({ message: GATEWAY_MESSAGES[status] });
  socket.end(
    `HTTP/1.1 ${status} ${GATEWAY_MESSAGES[status]}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
};

/**
 * Answers a request that Node could not parse. If the headers are too large, the client gets the gateway's response for
 * this; any other error means that the bytes are not HTTP.
 */
const answerUnreadable = (error: Error & { code?: string }, socket: Duplex): void =>
  refuseOn(socket, error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400);

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface ListeningServer extends LoopbackServer {
  /** Starts to serve requests; earlier requests wait for this call. */
  serve(api: ApiModel, options: HttpApiOptions): void;
}

const serveWith = (served: ServedApi, options: HttpApiOptions): Serve => {
  const refuse = (request: IncomingMessage, response: ServerResponse, requestId: string, error: unknown) => {
    if (request.readableAborted) return; // The client disconnected while it sent the request.
    if (!(error instanceof GatewayRefusal)) console.error('http api:', error);
    send(response, gatewayAnswer(error instanceof GatewayRefusal ? error.status : 500), requestId);
    request.resume();
  };
  return async (request, response) => {
    const requestId = randomUUID();
    try {
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      if (options.local && path.startsWith('/_local/')) return await options.local(request, response, path);
      if (options.front?.(request, response, path)) return;
      if (await options.page?.(request, response, path)) return;
      send(response, await answerOf(served, request, requestId, options), requestId);
    } catch (error) {
      refuse(request, response, requestId, error);
    }
  };
};

/**
 * Starts to listen on 127.0.0.1. Requests are served only after `serve` is called, because values in the template need
 * the API's address. Rejects when the port is taken.
 */
export const listenHttpApi = async (port: number): Promise<ListeningServer> => {
  const { promise: served, resolve: ready } = Promise.withResolvers<Serve>();
  // By default Node would refuse a request without `host` with its own response.
  const settings = { maxHeaderSize: NODE_HEADER_BYTES_MAX, requireHostHeader: false };
  const server = createServer(settings, async (request, response) => (await served)(request, response));
  // By default Node silently drops headers above a certain number. No limit of the number is needed, because the size
  // of all headers is limited.
  server.maxHeadersCount = 0;
  server.on('clientError', answerUnreadable);
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => refuseOn(socket, 400));
  return {
    ...(await listenOnLoopback(server, port)),
    serve: (api, options) =>
      ready(serveWith({ api, route: createRouter(api.routes), mayPass: createThrottle(api.throttle) }, options)),
  };
};
