/** The limits against floods in docs/deploying.md equal those of the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/deploying.md'), 'utf8');
const section = page.split('\n## Limits against floods\n')[1]!.split('\n## ')[0]!;

test.each([
  ['starts of syncs', `${SYNC_LIMITS.syncStartsPerMinute} a minute and organization`],
  ['starts of syncs', `${SYNC_LIMITS.openRunsPerConnectionMax} open runs a connection`],
  ['reads', `${HTTP_LIMITS.readsPerMinute.toLocaleString('en-US')} a minute and credential`],
  [
    'reads',
    `${(HTTP_LIMITS.readsPerMinute * HTTP_LIMITS.readsOfOrganizationTimes).toLocaleString('en-US')} an organization`,
  ],
  ['reads', `${HTTP_LIMITS.readsAddedEveryMs / 1000} s late`],
  ['/api/mcp', `${MCP_LIMITS.agentCallsPerMinute} a minute and credential`],
  ['/api/mcp', `${MCP_LIMITS.agentCallsPerOrganizationAndMinute} a minute and organization`],
  ['/api/mcp', `${MCP_LIMITS.agentRowsMax} rows and ${MCP_LIMITS.agentAnswerBytesMax / 1024} KB an answer`],
  ['/api/oauth/token', `${AGENT_LIMITS.refreshesPerMinute} a minute and grant`],
  ['/api/oauth/reviews', `${AGENT_LIMITS.consentsPerMinute} a minute and person`],
  ['/api/oauth/reviews', `${AGENT_LIMITS.grantsPerOrganizationMax} grants an organization`],
  [
    'documents of clients',
    `${AGENT_LIMITS.clientDocumentMs / 1000} s, ${AGENT_LIMITS.clientDocumentBytesMax / 1024} KB`,
  ],
  ['documents of clients', `keys: ${AGENT_LIMITS.clientKeysBytesMax / 1024} KB`],
])('%s: %s', (at, bound) => {
  expect(section.split('\n').find((line) => line.includes(at))).toContain(bound);
});
