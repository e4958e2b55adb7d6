/** Converts a request to an event in payload format 2.0, as API Gateway does. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { RouteMatch } from './http-routes.ts';

/**
 * Content types whose bodies are passed as text. All other bodies, and bodies without a content type, become base64.
 */
const TEXT_TYPES = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript)\s*(?:;|$))/i;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

interface EventContext {
  apiId: string;
  account: string;
  stage: string;
  requestId: string;
  /** Virtual milliseconds since the epoch. */
  nowMs: number;
}

/** Returns a time such as `12/Mar/2020:19:03:58 +0000`. */
const logTime = (nowMs: number): string => {
  const [date = '', time = ''] = new Date(nowMs).toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${time.slice(0, 8)} +0000`;
};

/**
 * Returns headers with lower-case names, with the values of a repeated header joined by commas. Cookies are returned
 * separately.
 */
const headersOf = (request: IncomingMessage): { headers: Record<string, string>; cookies: string[] } => {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = (request.rawHeaders[index] ?? '').toLowerCase();
    const value = request.rawHeaders[index + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(/;\s*/).filter(Boolean));
    else headers[name] = headers[name] === undefined ? value : `${headers[name]},${value}`;
  }
  return { headers, cookies };
};

/** Returns the decoded query parameters, with the values of a repeated parameter joined by commas. */
const queryOf = (raw: string): Record<string, string> => {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(raw))
    query[name] = Object.hasOwn(query, name) ? `${query[name]},${value}` : value;
  return query;
};

/** Returns the part of the event under its name. An empty part is omitted, as in API Gateway. */
const present = <T extends object>(name: string, value: T): Record<string, T> =>
  Object.keys(value).length > 0 ? { [name]: value } : {};

const bodyOf = (body: Buffer, contentType: string): Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'> => {
  if (body.length === 0) return { isBase64Encoded: false };
  return TEXT_TYPES.test(contentType)
    ? { body: body.toString('utf8'), isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: true };
};

/** Returns the event. `path` is the decoded path. */
export const toEvent = (
  request: IncomingMessage,
  body: Buffer,
  { path, rawQuery, matched }: { path: string; rawQuery: string; matched: RouteMatch },
  context: EventContext,
): APIGatewayProxyEventV2 => {
  const { headers, cookies } = headersOf(request);
  const address = request.socket.remoteAddress ?? '127.0.0.1';
  const host = headers.host ?? '';
  return {
    version: '2.0',
    routeKey: matched.route.routeKey,
    rawPath: path,
    rawQueryString: rawQuery,
    ...present('cookies', cookies),
    headers: {
      ...headers,
      'content-length': String(body.length),
      'x-amzn-trace-id': `Root=1-${Math.floor(context.nowMs / 1000).toString(16)}-${randomUUID().replaceAll('-', '').slice(0, 24)}`,
      'x-forwarded-for': headers['x-forwarded-for'] ? `${headers['x-forwarded-for']}, ${address}` : address,
      'x-forwarded-port': host.split(':')[1] ?? '80',
      'x-forwarded-proto': 'http',
    },
    ...present('queryStringParameters', queryOf(rawQuery)),
    requestContext: {
      accountId: context.account,
      apiId: context.apiId,
      domainName: host,
      domainPrefix: host.split(/[.:]/)[0] ?? '',
      http: {
        method: request.method ?? 'GET',
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: address,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: context.requestId,
      routeKey: matched.route.routeKey,
      stage: context.stage,
      time: logTime(context.nowMs),
      timeEpoch: context.nowMs,
    },
    ...present('pathParameters', matched.params),
    ...bodyOf(body, headers['content-type'] ?? ''),
  };
};
