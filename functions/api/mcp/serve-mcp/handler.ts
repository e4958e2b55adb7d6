import { protocolEndpoint } from '#shared/http/protocol-endpoint.ts';
import { serveAgent } from '#shared/mcp/serve-agent.ts';
import { contract } from './contract.ts';

export const handler = protocolEndpoint(contract, serveAgent);
