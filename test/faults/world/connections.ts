/**
 * Institutions and webhook receivers without a socket, so that their answers take virtual time. Load it before the
 * code under test, because it replaces shared/transport/connections.ts.
 */
import { registerHooks } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxServer } from '#shared/sources/sandbox-kit/server.ts';
import type {
  HttpConnections,
  HttpConnectionsOptions,
  IncomingAnswer,
  OutgoingRequest,
} from '#shared/transport/connections.ts';

interface Wire {
  /** The institution, and how long each of its answers takes. */
  server: SandboxServer | undefined;
  answerMs: number;
  /** Returns the status of the receiver's answer. */
  receive: (call: OutgoingRequest) => Promise<number>;
}

export const wire: Wire = {
  server: undefined,
  answerMs: 0,
  receive: () => Promise.reject(new Error('no receiver is set')),
};

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const askInstitution = async ({
  url,
  method,
  headers,
  body,
  signal,
  onSent,
}: OutgoingRequest): Promise<IncomingAnswer> => {
  signal.throwIfAborted();
  onSent?.();
  await sleep(wire.answerMs);
  signal.throwIfAborted();
  const payload = body === undefined ? {} : { payload: Buffer.from(body) };
  const answer = await wire.server!.app.inject({ method, url: `${url.pathname}${url.search}`, headers, ...payload });
  const named = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')] as const);
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(named),
    cookies: [answer.headers['set-cookie'] ?? []].flat(),
    body: inOnePiece(answer.rawPayload),
  };
};

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

const askReceiver = async (call: OutgoingRequest): Promise<IncomingAnswer> => {
  const status = await Promise.race([wire.receive(call), aborted(call.signal)]);
  return { status, headers: {}, cookies: [], body: inOnePiece(new Uint8Array()) };
};

/** Only connections to institutions serve several calls. */
export const createConnections = ({ isKept }: HttpConnectionsOptions): HttpConnections => ({
  request: async (call, use) => use(await (isKept ? askInstitution(call) : askReceiver(call))),
  close: () => {},
});

export const useWire = (): void => {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '#shared/transport/connections.ts'
        ? { url: import.meta.url, shortCircuit: true }
        : next(specifier, context),
  });
};
