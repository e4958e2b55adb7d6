/** Faults on the wire, the same for both sides of the portal. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { WebFault } from './behaviour.ts';
import type { State } from './state.ts';

/** Longer than the source waits. */
const SLOW_MS = 100_000;

export const BUSY = {
  Codigo: 10_500,
  Mensaje: 'Lo sentimos. Hemos detectado que existen peticiones simultáneas.',
};
export const GATE = '/Procurement/403.html';
const BUSY_STATUSES = [200, 429, 500] as const;
const OUT_OF_ORDER = '<html><body><h1>Service Unavailable</h1></body></html>';
const HTML = 'text/html; charset=utf-8';

/** Ends early when the server closes, so that nobody waits for a slow answer that nobody reads. */
export const pause = (app: FastifyInstance, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      app.server.off('close', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    timer.unref();
    app.server.once('close', end);
  });

export const sendBusy = (reply: FastifyReply, state: State, call: number): FastifyReply =>
  reply.code(state.knobs.busyStatus || BUSY_STATUSES[call % BUSY_STATUSES.length]!).send(BUSY);

/** Answers in place of the answer; undefined when there is no fault, or the answer is sent cut. */
export const faulty = async (
  app: FastifyInstance,
  reply: FastifyReply,
  state: State,
  fault: WebFault,
  call: number,
): Promise<FastifyReply | undefined> => {
  switch (fault) {
    case 'busy':
      return sendBusy(reply, state, call);
    case 'quota':
      return reply.code(429).type('text/plain').send('Too Many Requests');
    case 'gateway':
      return reply.code(504).send({ message: 'Endpoint request timed out' });
    case 'error':
      return reply.code(503).type(HTML).send(OUT_OF_ORDER);
    case 'page':
      return reply.type(HTML).send('<!DOCTYPE html>\n<html><body><h1>Mercado Público</h1></body></html>');
    case 'gate':
      return reply.redirect(GATE, 302);
    case 'forbidden':
      return reply.code(403).type(HTML).send('<html><body>Request blocked.</body></html>');
    case 'slow':
      await pause(app, SLOW_MS);
      return undefined;
    default:
      return undefined;
  }
};

/** Sends the body whole, or half of it: as if it were all, or hanging up. */
export const sendBody = (reply: FastifyReply, type: string, body: string, fault: WebFault): FastifyReply => {
  const bytes = Buffer.from(body);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  if (fault === 'truncate') return reply.type(type).send(half);
  if (fault !== 'cut') return reply.type(type).send(bytes);
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
  reply.raw.write(half, () => reply.raw.destroy());
  return reply;
};
