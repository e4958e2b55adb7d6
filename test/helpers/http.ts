/** API Gateway payloads (version 2.0) and handlers called in process. */
import type { Context } from 'aws-lambda';
import { type EndpointContract, fullPath } from '#shared/http/contract.ts';
import type { HttpEvent, HttpHandler } from '#shared/http/endpoint.ts';

export interface Request {
  method: string;
  path: string;
  params?: Record<string, string>;
  query?: string;
  headers?: Record<string, string>;
  cookies?: string[];
  /** A string is sent unchanged, anything else as JSON. */
  body?: unknown;
  isBase64Encoded?: boolean;
}

export const eventOf = (request: Request): HttpEvent => {
  const { method, path, params, query = '', headers = {}, cookies, body, isBase64Encoded = false } = request;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: query,
    headers: { ...(body !== undefined ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(cookies ? { cookies } : {}),
    ...(params ? { pathParameters: params } : {}),
    ...(body !== undefined ? { body: text } : {}),
    isBase64Encoded,
    requestContext: {
      accountId: '000000000000',
      apiId: 'test',
      domainName: 'test',
      domainPrefix: 'test',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
      requestId: 'gateway-request-id',
      routeKey: `${method} ${path}`,
      stage: '$default',
      time: '01/Nov/2026:00:00:00 +0000',
      timeEpoch: 1_793_491_200_000,
    },
  } as unknown as HttpEvent;
};

export const context = { functionName: 'test', getRemainingTimeInMillis: () => 29_000 } as unknown as Context;

export interface Answered {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
  text: string;
}

export const answered = async (handler: HttpHandler, event: HttpEvent): Promise<Answered> => {
  const result = await handler(event, context);
  const headers = Object.fromEntries(
    Object.entries(result.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  const text = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8').toString('utf8');
  const isJson = headers['content-type']?.startsWith('application/json') && text !== '';
  return { status: result.statusCode ?? 0, headers, body: isJson ? JSON.parse(text) : undefined, text };
};

/** Calls the handler of a contract: path and parameters follow from it. */
export const call = (
  contract: EndpointContract,
  handler: HttpHandler,
  request: Partial<Omit<Request, 'method' | 'path'>> = {},
): Promise<Answered> => {
  const filled = fullPath(contract).replaceAll(/\{(\w+)\}/g, (_, name: string) => request.params?.[name] ?? '');
  return answered(handler, eventOf({ method: contract.method, path: filled, ...request }));
};
