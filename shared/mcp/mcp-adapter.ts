/**
 * A request of the gateway → the SDK's handler → an answer of the gateway, for both revisions of the protocol. A function
 * holds nothing open: subscriptions end at once, and an answer is read whole before it leaves.
 */
import { type AuthInfo, createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import type { ProtocolAnswer, ProtocolRequest } from '#shared/http/protocol-endpoint.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { describeError, log } from '#shared/platform/logger.ts';

/** Whatever else the SDK says is of a stream that stays open, or the gateway's to say. */
const isKept = (name: string): boolean => name === 'content-type' || name === 'allow' || name.startsWith('mcp-');

/** The SDK reads no part of it. */
const ADDRESS = 'https://agents.invalid/api/mcp';

const toRequest = ({ method, headers, body }: Pick<ProtocolRequest, 'method' | 'headers' | 'body'>): Request => {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value);
  return new Request(ADDRESS, { method, headers: sent, ...(method === 'POST' ? { body: Buffer.from(body) } : {}) });
};

const toAnswer = async (response: Response): Promise<ProtocolAnswer> => {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => isKept(name)));
  const text = await response.text();
  return { status: response.status, headers, body: text === '' ? undefined : text };
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
    maxRequestBodySize: LIMITS.bodyBytesMax,
    // Refused requests are told here, too; their messages may quote what was sent.
    onerror: (error) => log.info('a request of an agent was refused', describeError(error)),
  });
  return async (request, caller) =>
    toAnswer(await handler.fetch(toRequest(request), caller === undefined ? {} : { authInfo: caller }));
};
