import { serveAgent } from '#shared/agents/mcp/serve-agent.ts';
import { protocolEndpoint } from '#shared/http/protocol-endpoint.ts';
import { contract } from './contract.ts';

export const handler = protocolEndpoint(contract, serveAgent);
