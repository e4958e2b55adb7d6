/**
 * Connects the gateway with the SDK's handler, for both revisions of the protocol. A function keeps no connection open:
 * subscriptions end at once, and an answer is read completely before it is sent.
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
import { MCP_LIMITS } from './limits.ts';
import { dropNulls, EVENT_FORM, inAcceptedForm, JSON_FORM, repeatsTooMuch } from './message-form.ts';

/**
 * True for headers of the SDK that are sent to the client. The other headers of the SDK concern open streams, or are
 * set by the gateway.
 */
const isKept = (name: string): boolean => name === 'content-type' || name === 'allow' || name.startsWith('mcp-');

/** A placeholder, because the SDK ignores the address. */
const ADDRESS = 'https://agents.invalid/api/mcp';

/**
 * True for headers that the SDK receives: only headers of the protocol. This excludes the token, and characters that
 * `Headers` refuses.
 */
const isSent = (header: [string, string | undefined]): header is [string, string] => {
  const [name, value] = header;
  const isKnown = name === 'content-type' || name.startsWith('mcp-');
  return isKnown && value !== undefined && /^[\x20-\x7e]*$/.test(value);
};

/** The SDK refuses a client that does not list both forms; this server answers each in its own. */
const BOTH_FORMS = `${JSON_FORM}, ${EVENT_FORM}`;

const toRequest = ({ method, headers, body }: Pick<ProtocolRequest, 'method' | 'headers' | 'body'>): Request => {
  const sent = new Headers(Object.entries(headers).filter(isSent));
  sent.set('accept', BOTH_FORMS);
  const text = Buffer.from(dropNulls(Buffer.from(body).toString()));
  return new Request(ADDRESS, { method, headers: sent, ...(method === 'POST' ? { body: text } : {}) });
};

const toAnswer = async (response: Response, accept: string | undefined): Promise<ProtocolAnswer> => {
  const { status } = response;
  const headers = Object.fromEntries([...response.headers].filter(([name]) => isKept(name)));
  const text = await response.text();
  if (text === '') return { status, headers, body: undefined };
  const { form, body } = inAcceptedForm(text, response.headers.get('content-type') ?? JSON_FORM, accept);
  return { status, headers: { ...headers, 'content-type': form }, body };
};

/**
 * True if the body is a list of messages. Both protocol revisions allow one message per body. The SDK would accept a
 * list, which could take endless time in one request of 256 KiB.
 */
const isBatch = (body: string): boolean => body.trimStart().startsWith('[');

const invalidRequest = (message: string): ProtocolAnswer => ({
  status: 400,
  body: { jsonrpc: '2.0', error: { code: ProtocolErrorCode.InvalidRequest, message }, id: null },
});

const TOO_LONG = `id and uri have at most ${MCP_LIMITS.agentRepeatedCharsMax} characters.`;

export type McpAdapter = (
  request: Pick<ProtocolRequest, 'method' | 'headers' | 'body'>,
  caller?: AuthInfo,
) => Promise<ProtocolAnswer>;

/** @param factory creates the server for one request; it gets the caller from `authInfo` of its context */
export const mcpAdapter = (factory: McpServerFactory): McpAdapter => {
  const handler = createMcpHandler(factory, {
    maxSubscriptions: 0,
    keepAliveMs: 0,
    maxRequestBodySize: HTTP_LIMITS.bodyBytesMax,
    // Only the error's description is logged, because messages of refused requests may quote the request.
    onerror: (error) => log.info('a request of an agent was refused', describeError(error)),
  });
  return async (request, caller) => {
    const body = Buffer.from(request.body).toString();
    if (isBatch(body)) return invalidRequest('Send one message.');
    if (repeatsTooMuch(body)) return invalidRequest(TOO_LONG);
    const response = await handler.fetch(toRequest(request), caller === undefined ? {} : { authInfo: caller });
    return toAnswer(response, request.headers.accept);
  };
};
