/** Sends the answers of a simulated institution: whole, truncated, or late. */
import type { FastifyInstance, FastifyReply } from 'fastify';

export const HTML_TYPE = 'text/html; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Delay that is longer than the timeout of a source. */
export const SLOW_MS = 70_000;

export const page = (title: string, body: string): string =>
  `<!DOCTYPE html><html lang="es"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;

/** Waits, but ends early when the server closes, so that closing never waits for a slow answer. */
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

/**
 * `truncate` sends half of the body as if it were complete; `cut` announces the full length, sends half and closes the
 * connection.
 */
export const sendBody = (reply: FastifyReply, type: string, body: string | Buffer, fault: string): FastifyReply => {
  if (fault !== 'cut' && fault !== 'truncate') return reply.type(type).send(body);
  const middle = Math.floor(body.length / 2);
  const half = typeof body === 'string' ? body.slice(0, middle) : body.subarray(0, middle);
  if (fault === 'truncate') return reply.type(type).send(half);
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  reply.raw.write(half, () => reply.raw.destroy());
  return reply;
};
