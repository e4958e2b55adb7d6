/**
 * Converts the gateway's event to a request for an institution's server, and the server's response to the gateway's
 * format.
 */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { SandboxRequest } from '#shared/sources/sandbox-kit/server.ts';

export interface SandboxCall extends SandboxRequest {
  /** Code of the source whose institution is simulated. */
  institution: string;
  method: string;
  payload: Buffer;
}

/**
 * Returns the institution and the request of the gateway's event: `/tax/cgi_AUT2000/…` becomes a request for
 * `/cgi_AUT2000/…` at the institution `tax`.
 */
export const askedBy = (event: APIGatewayProxyEventV2): SandboxCall => {
  const [, institution = '', path = '/'] = /^\/([^/]*)(\/.*)?$/.exec(event.rawPath) ?? [];
  const payload = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  // The gateway moves cookies from the headers to `cookies`.
  const cookie = event.cookies?.join('; ');
  return {
    institution,
    method: event.requestContext.http.method,
    url: event.rawQueryString === '' ? path : `${path}?${event.rawQueryString}`,
    headers: { ...event.headers, ...(cookie === undefined ? {} : { cookie }) },
    body: payload.toString('utf8'),
    payload,
  };
};

export interface InjectedAnswer {
  statusCode: number;
  headers: Record<string, string | string[] | number | undefined>;
  rawPayload: Buffer;
}

/** Headers that apply only to one connection. The response omits them, because the gateway sets its own values. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date']);

/**
 * Returns the response for the gateway. The bytes of the body stay unchanged: institutions use ISO-8859-1 and send
 * files.
 */
export const toGatewayAnswer = ({
  statusCode,
  headers,
  rawPayload,
}: InjectedAnswer): APIGatewayProxyStructuredResultV2 => {
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name) && name !== 'set-cookie');
  return {
    statusCode,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    cookies: [headers['set-cookie'] ?? []].flat().map(String),
    body: rawPayload.toString('base64'),
    isBase64Encoded: true,
  };
};

/**
 * Returns the response that a gateway itself sends for an unknown institution, for a closed connection, or after a
 * timeout.
 */
export const gatewayAnswer = (statusCode: 404 | 502 | 504, message: string): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});
