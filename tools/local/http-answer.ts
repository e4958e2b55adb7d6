/** Converts a function's result to an HTTP response, as API Gateway does, and builds the gateway's own responses. */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';

/** The gateway's own messages, in AWS's spelling. */
export const GATEWAY_MESSAGES = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

export type GatewayStatus = keyof typeof GATEWAY_MESSAGES;

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

const Answer = z.object({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), Scalar).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

export interface HttpAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: Buffer;
}

const NO_BODY_STATUSES: ReadonlySet<number> = new Set([204, 304]);
/** Headers that the gateway or the connection sets; the function's values are ignored. */
const HOP_HEADERS: ReadonlySet<string> = new Set(['connection', 'content-length', 'transfer-encoding', 'set-cookie']);

export const gatewayAnswer = (status: GatewayStatus): HttpAnswer => ({
  status,
  headers: [['content-type', 'application/json']],
  body: Buffer.from(JSON.stringify({ message: GATEWAY_MESSAGES[status] })),
});

/**
 * Headers that the gateway renames (others reported this; it was not verified on AWS). The local gateway also renames
 * them, so that no client relies on the original name.
 */
const RENAMED: Readonly<Record<string, string>> = { 'www-authenticate': 'x-amzn-remapped-www-authenticate' };

/**
 * Returns the response for a function's result. A value without `statusCode` becomes a 200 with the value as JSON. A
 * value with `statusCode` and other fields that are invalid becomes the gateway's 500.
 */
export const toAnswer = (json: string): HttpAnswer => {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null || !('statusCode' in value)) {
    const body = Buffer.from(typeof value === 'string' ? value : json);
    return { status: 200, headers: [['content-type', 'application/json']], body };
  }
  const parsed = Answer.safeParse(value);
  if (!parsed.success) return gatewayAnswer(500);
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.data;
  const given = Object.entries(headers ?? {}).map(([name, each]): [string, string] => [
    RENAMED[name.toLowerCase()] ?? name.toLowerCase(),
    String(each),
  ]);
  const setCookies = given.filter(([name]) => name === 'set-cookie');
  const plain = given.filter(([name]) => !HOP_HEADERS.has(name));
  if (!plain.some(([name]) => name === 'content-type')) plain.push(['content-type', 'text/plain; charset=utf-8']);
  return {
    status: statusCode,
    headers: [...plain, ...setCookies, ...(cookies ?? []).map((each): [string, string] => ['set-cookie', each])],
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
};

export const send = (response: ServerResponse, answer: HttpAnswer, requestId: string): void => {
  if (response.destroyed || response.headersSent) return;
  const hasBody = !NO_BODY_STATUSES.has(answer.status);
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  response.setHeader('apigw-requestid', requestId);
  if (hasBody) response.setHeader('content-length', answer.body.length);
  response.end(hasBody ? answer.body : undefined);
};
