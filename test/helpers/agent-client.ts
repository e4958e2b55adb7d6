/** The public SDK's client over the MCP handler in this process: no socket, but the gateway's payloads. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { HttpHandler } from '#shared/http/endpoint.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { handlerOf } from './handlers.ts';
import { answered, eventOf } from './http.ts';

/** The origin that `useSharedSecretIssuer` also sets. */
export const ORIGIN = 'https://app.test';
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** Call it before the first request. */
export const useAgentOrigin = (): void => {
  process.env[VARIABLES.publicOrigin] = ORIGIN;
};

/** Sends a client's requests to the handler. Methods other than POST have no route there, so they get 405. */
const fetchFrom =
  (handler: HttpHandler): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const headers = Object.fromEntries(request.headers);
    const event = eventOf({ method: 'POST', path: '/api/mcp', headers, body: await request.text() });
    const { status, headers: answeredHeaders, text } = await answered(handler, event);
    const { 'content-encoding': _packed, ...plain } = answeredHeaders;
    return new Response([202, 204].includes(status) ? null : text, { status, headers: plain });
  };

export const connectAgent = async (token: string, revision: Revision): Promise<Client> => {
  const transport = new StreamableHTTPClientTransport(new URL(`${ORIGIN}/api/mcp`), {
    authProvider: { token: async () => token },
    fetch: fetchFrom(await handlerOf('serve-mcp')),
  });
  const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
};

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
export type Structured = any;

export interface ToolAnswer {
  isError: boolean;
  answer: Structured;
  bytes: number;
}

/** The tool's structured answer, after checking that the text block says the same. */
export const callTool = async (client: Client, name: string, args: object = {}): Promise<ToolAnswer> => {
  const result = await client.callTool({ name, arguments: { ...args } });
  const [block] = result.content as { type: string; text: string }[];
  const text = JSON.stringify(result.structuredContent);
  if (block?.type !== 'text' || block.text !== text) throw new Error(`${name}: the text says something else`);
  return { isError: result.isError === true, answer: result.structuredContent, bytes: Buffer.byteLength(text) };
};
