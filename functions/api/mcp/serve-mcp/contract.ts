import { AGENT_PATHS } from '#shared/agents/addresses.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { defineProtocolEndpoint } from '#shared/http/protocol-contract.ts';

const failure = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id: null });

export const contract = defineProtocolEndpoint({
  id: 'serve-mcp',
  routes: [{ method: 'POST', path: AGENT_PATHS.mcp }],
  summary: 'What agents call: the Model Context Protocol, revisions 2025-11-25 and 2026-07-28',
  bodyBytesMax: HTTP_LIMITS.bodyBytesMax,
  showsSecrets: false,
  failures: {
    internal: failure(-32_603, 'Internal error'),
    tooLarge: failure(-32_000, `The body must be at most ${HTTP_LIMITS.bodyBytesMax / 1024} KiB.`),
  },
  needs: ['table:read', 'table:stamp', 'table:count', 'table:write', 'public-origin'],
});
