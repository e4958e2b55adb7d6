/** Replies of the portal: always ISO-8859-1, and HTTP 200 for almost all replies (banks.md §3.3). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FORM_TYPE } from '../../sandbox-kit/answers.ts';
import { cookieIn } from '../../sandbox-kit/server.ts';

export const HTML_TYPE = 'text/html; charset=ISO-8859-1';

export const sendPage = (reply: FastifyReply, html: string, status = 200): FastifyReply =>
  reply.code(status).type(HTML_TYPE).send(Buffer.from(html, 'latin1'));

export const readToken = (request: FastifyRequest): string | undefined =>
  cookieIn(request, 'ASPSESSIONID') || undefined;

/** Parses the fields of a form as an ISO-8859-1 page posts them. */
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

/** Returns the fields of a posted form. ASP reads only forms, so a body of any other type has no fields. */
export const readFormFields = ({ headers, body }: FastifyRequest): Record<string, string> =>
  headers['content-type']?.startsWith(FORM_TYPE) ? (body as Record<string, string>) : {};
