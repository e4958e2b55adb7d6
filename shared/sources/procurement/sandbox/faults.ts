/** Faults on the wire that the API and the web side have in common. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { HTML_TYPE, pause } from '../../sandbox-kit/answers.ts';
import type { WebFault } from './behaviour.ts';
import type { State } from './state.ts';
import { tokenIn } from './tokens.ts';
import { MAINTENANCE, scoredListing } from './walls.ts';

/** Delay that is longer than the adapter's timeout. */
const SLOW_MS = 100_000;

export const BUSY = {
  Codigo: 10_500,
  Mensaje: 'Lo sentimos. Hemos detectado que existen peticiones simultáneas.',
};
export const GATE = '/Procurement/403.html';
const BUSY_STATUSES = [200, 429, 500] as const;
const OUT_OF_ORDER = '<html><body><h1>Service Unavailable</h1></body></html>';

export const sendBusy = (reply: FastifyReply, state: State, call: number): FastifyReply =>
  reply.code(state.knobs.busyStatus || BUSY_STATUSES[call % BUSY_STATUSES.length]!).send(BUSY);

export interface FaultRoutes {
  app: FastifyInstance;
  state: State;
}

/** Sends the faulty answer. Returns undefined if there is no fault, or if the caller must send a truncated answer. */
export const faulty = async (
  { app, state }: FaultRoutes,
  reply: FastifyReply,
  fault: WebFault,
  call = 0,
): Promise<FastifyReply | undefined> => {
  switch (fault) {
    case 'busy':
      return sendBusy(reply, state, call);
    case 'quota':
      return reply.code(429).type('text/plain').send('Too Many Requests');
    case 'gateway':
      return reply.code(504).send({ message: 'Endpoint request timed out' });
    case 'error':
      return reply.code(503).type(HTML_TYPE).send(OUT_OF_ORDER);
    case 'page':
      return reply.type(HTML_TYPE).send('<!DOCTYPE html>\n<html><body><h1>Mercado Público</h1></body></html>');
    case 'maintenance':
      return reply.type(HTML_TYPE).send(MAINTENANCE);
    case 'scored':
      return reply.type(HTML_TYPE).send(scoredListing(tokenIn(reply.request, 'enc')));
    case 'gate':
      return reply.redirect(GATE, 302);
    case 'forbidden':
      return reply.code(403).type(HTML_TYPE).send('<html><body>Request blocked.</body></html>');
    case 'slow':
      await pause(app, SLOW_MS);
      return undefined;
    default:
      return undefined;
  }
};
