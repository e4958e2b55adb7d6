/**
 * A request of the gateway → the SDK's handler → an answer of the gateway, for both revisions of the protocol. A function
 * holds nothing open: subscriptions end at once, and an answer is read whole before it leaves.
 */
import {
  type AuthInfo,
  createMcpHandler,
  type McpServerFactory,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import type { ProtocolAnswer, ProtocolRequest } from '#shared/http/protocol-endpoint.ts';
import { describeError, log } from '#shared/platform/logger.ts';

/** Whatever else the SDK says is of a stream that stays open, or the gateway's to say. */
const isKept = (name: string): boolean => name === 'content-type' || name === 'allow' || name.startsWith('mcp-');

/** The SDK reads no part of it. */
const ADDRESS = 'https://agents.invalid/api/mcp';

/** Headers of the protocol alone: the token stays outside, and so do letters that `Headers` refuses to take. */
const isSent = (header: [string, string | undefined]): header is [string, string] => {
  const [name, value] = header;
  const isKnown = name === 'accept' || name === 'content-type' || name.startsWith('mcp-');
  return isKnown && value !== undefined && /^[\x20-\x7e]*$/.test(value);
};

const toRequest = ({ method, headers, body }: Pick<ProtocolRequest, 'method' | 'headers' | 'body'>): Request => {
  const sent = new Headers(Object.entries(headers).filter(isSent));
  return new Request(ADDRESS, { method, headers: sent, ...(method === 'POST' ? { body: Buffer.from(body) } : {}) });
};

const toAnswer = async (response: Response): Promise<ProtocolAnswer> => {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => isKept(name)));
  const text = await response.text();
  return { status: response.status, headers, body: text === '' ? undefined : text };
};

/** Both revisions have one message in a body. The SDK takes a list of them, which one request of 256 KiB makes endless. */
const isBatch = (body: Uint8Array): boolean => Buffer.from(body).toString().trimStart().startsWith('[');

const BATCH_REFUSED: ProtocolAnswer = {
  status: 400,
  body: { jsonrpc: '2.0', error: { code: ProtocolErrorCode.InvalidRequest, message: 'Send one message.' }, id: null },
};

export type McpAdapter = (
  request: Pick<ProtocolRequest, 'method' | 'headers' | 'body'>,
  caller?: AuthInfo,
) => Promise<ProtocolAnswer>;

/** @param factory makes the server of one request; it finds the caller in its context's `authInfo` */
export const mcpAdapter = (factory: McpServerFactory): McpAdapter => {
  const handler = createMcpHandler(factory, {
    maxSubscriptions: 0,
    keepAliveMs: 0,
    maxRequestBodySize: HTTP_LIMITS.bodyBytesMax,
    // Refused requests are told here, too; their messages may quote what was sent.
    onerror: (error) => log.info('a request of an agent was refused', describeError(error)),
  });
  return async (request, caller) => {
    if (isBatch(request.body)) return BATCH_REFUSED;
    return toAnswer(await handler.fetch(toRequest(request), caller === undefined ? {} : { authInfo: caller }));
  };
};
