/** How the portal answers: ISO-8859-1 throughout, HTTP 200 for almost everything (banks.md §3.3). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const HTML_TYPE = 'text/html; charset=ISO-8859-1';

export const sendPage = (reply: FastifyReply, html: string, status = 200): FastifyReply =>
  reply.code(status).type(HTML_TYPE).send(Buffer.from(html, 'latin1'));

export const tokenOf = (request: FastifyRequest): string | undefined =>
  /(?:^|;\s*)ASPSESSIONID=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] || undefined;

/** Fields of a form as posted from an ISO-8859-1 page. */
export const parseForm = (body: string): Record<string, string> =>
  Object.fromEntries(
    body.split('&').map((pair) => {
      const [name = '', value = ''] = pair
        .split('=', 2)
        .map((part) =>
          part
            .replaceAll('+', ' ')
            .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        );
      return [name, value];
    }),
  );

/** ASP reads forms and nothing else: fields of any other body are simply not there. */
export const formOf = ({ headers, body }: FastifyRequest): Record<string, string> =>
  headers['content-type']?.startsWith(FORM_TYPE) ? (body as Record<string, string>) : {};

/** Announces the whole body, sends half of it and hangs up. */
export const cutOff = (reply: FastifyReply, body: Buffer, type: string): FastifyReply => {
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': type, 'content-length': body.length });
  reply.raw.write(body.subarray(0, Math.floor(body.length / 2)), () => reply.raw.destroy());
  return reply;
};

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
