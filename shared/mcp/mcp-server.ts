/**
 * Builds the server that answers one request of an agent: a request for a list, which is the same for every caller, or
 * a tool call on behalf of the caller. The SDK handles both revisions of the protocol. Nothing is stored between
 * requests.
 */
import {
  type CacheHint,
  type CallToolResult,
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  Server,
} from '@modelcontextprotocol/server';
import { judge } from '#shared/http/request/issues.ts';
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { TOOLS } from '#shared/mcp/tools/tools.ts';
import { answerCall } from './answer-call.ts';
import { GLOSSARY, glossaryText } from './column-glossary.ts';
import { CLOSING_ARGUMENTS, CLOSING_PROMPT, closingText, INSTRUCTIONS } from './instructions.ts';
import { LISTED_TOOLS } from './listed-tool.ts';
import { DefaultJsonSchemaValidator } from './sdk-shims.ts';
import type { Agent } from './tool.ts';

/** Name and version of this server, not of the protocol. */
const SERVER = { name: 'data-connections', title: 'Data connections', version: '1.0.0' } as const;

/** Cache hint for the lists, which do not depend on the caller. */
const CACHED: CacheHint = { ttlMs: MCP_LIMITS.agentListsSeconds * 1000, cacheScope: 'public' };

const LISTS = [
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
] as const;

/** @param data what was requested, in the form that the protocol requires */
const unknown = (what: string, data?: Record<string, string>): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown ${what}`, data);

/** Each list is one page, so no cursor is ours. */
const refuseCursor = (params: { cursor?: string | null | undefined } | undefined): void => {
  if (params?.cursor != null) throw unknown('cursor');
};

const callTool = async (name: string, args: unknown, agent: Agent): Promise<CallToolResult> => {
  const tool = TOOLS.find((each) => each.name === name);
  if (!tool) throw unknown('tool');
  return answerCall(tool, args, agent);
};

const getPrompt = (name: string, args: unknown): GetPromptResult => {
  if (name !== CLOSING_PROMPT.name) throw unknown('prompt');
  const { data, finding } = judge(CLOSING_ARGUMENTS, args ?? {}, { noun: 'arguments' });
  if (finding !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, finding);
  const content = { type: 'text' as const, text: closingText(data.period) };
  return { description: CLOSING_PROMPT.description, messages: [{ role: 'user', content }] };
};

const readResource = (uri: string): ReadResourceResult => {
  if (uri !== GLOSSARY.uri) throw unknown('resource', { uri });
  return { contents: [{ uri, mimeType: GLOSSARY.mimeType, text: glossaryText() }] };
};

export const createServer = (agent: Agent): Server => {
  const server = new Server(SERVER, {
    capabilities: { tools: {}, prompts: {}, resources: {} },
    instructions: INSTRUCTIONS,
    cacheHints: Object.fromEntries(LISTS.map((method) => [method, CACHED])),
    jsonSchemaValidator: new DefaultJsonSchemaValidator(),
  });
  server.setRequestHandler('tools/list', ({ params }) => {
    refuseCursor(params);
    return { tools: [...LISTED_TOOLS] };
  });
  server.setRequestHandler('tools/call', ({ params }) => callTool(params.name, params.arguments, agent));
  server.setRequestHandler('prompts/list', ({ params }) => {
    refuseCursor(params);
    return { prompts: [{ ...CLOSING_PROMPT, arguments: [...CLOSING_PROMPT.arguments] }] };
  });
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments));
  server.setRequestHandler('resources/list', ({ params }) => {
    refuseCursor(params);
    return { resources: [{ ...GLOSSARY }] };
  });
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    refuseCursor(params);
    return { resourceTemplates: [] };
  });
  server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri));
  return server;
};
