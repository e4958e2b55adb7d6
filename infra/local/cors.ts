/** CORS as the gateway answers it: preflights never reach a function, and other answers get the allowing headers. */
import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import type { HttpAnswer } from './http-answer.ts';
import type { CorsProperties } from './resources.ts';

type Cors = z.infer<typeof CorsProperties>;

const allowedOrigin = (cors: Cors, origin: string): string | undefined => {
  if (cors.AllowOrigins.includes('*')) return '*';
  const scheme = `${origin.split('://')[0]}://*`;
  return cors.AllowOrigins.some((each) => each === origin || each === scheme) ? origin : undefined;
};

const headersFor = (cors: Cors, origin: string): [string, string][] => {
  const allowed = allowedOrigin(cors, origin);
  if (allowed === undefined) return [];
  return [
    ['access-control-allow-origin', allowed],
    ...(cors.AllowCredentials ? [['access-control-allow-credentials', 'true'] as [string, string]] : []),
    ...(cors.ExposeHeaders.length > 0
      ? [['access-control-expose-headers', cors.ExposeHeaders.join(',')] as [string, string]]
      : []),
  ];
};

/** The preflight's answer, or undefined when the request is none. */
export const preflight = (cors: Cors | undefined, request: IncomingMessage): HttpAnswer | undefined => {
  const { origin, 'access-control-request-method': method } = request.headers;
  if (!cors || request.method !== 'OPTIONS' || origin === undefined || method === undefined) return undefined;
  const allowing = headersFor(cors, origin);
  const details: [string, string][] =
    allowing.length === 0
      ? []
      : [
          ['access-control-allow-methods', cors.AllowMethods.join(',')],
          ['access-control-allow-headers', cors.AllowHeaders.join(',')],
          ...(cors.MaxAge === undefined ? [] : [['access-control-max-age', String(cors.MaxAge)] as [string, string]]),
        ];
  return { status: 204, headers: [...allowing, ...details], body: Buffer.alloc(0) };
};

/** The gateway's CORS headers replace the function's own. */
export const withCors = (cors: Cors | undefined, request: IncomingMessage, answer: HttpAnswer): HttpAnswer => {
  if (!cors || request.headers.origin === undefined) return answer;
  const own = answer.headers.filter(([name]) => !name.startsWith('access-control-'));
  return { ...answer, headers: [...own, ...headersFor(cors, request.headers.origin)] };
};
