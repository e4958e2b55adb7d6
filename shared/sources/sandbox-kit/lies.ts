/** Lies that every simulated institution tells in the same words: before its login, and with keys of another wire. */
import type { FastifyReply } from 'fastify';

export type SharedLie = 'firewall_page' | 'unclear_login' | 'changed_page';

export const ERROR_PAGE =
  '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Your support ID is: 4711</body></html>';

/** Undefined where the behaviour lets the login go on. */
export const answerLoginWithLie = (reply: FastifyReply, behaviour: string | undefined): FastifyReply | undefined => {
  if (behaviour === 'firewall_page') return reply.type('text/html; charset=utf-8').send(ERROR_PAGE);
  if (behaviour === 'unclear_login') return reply.code(401).send({ estado: 'POLITICA', detalle: 'R-4711' });
  return undefined;
};

/** Every key of every object in another spelling. */
export const withChangedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withChangedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [`${key}V2`, withChangedKeys(inner)]));
};
