/** What docs/deploying.md says of limits against floods are the limits of the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LIMITS } from '#shared/platform/limits.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/deploying.md'), 'utf8');
const section = page.split('\n## Limits against floods\n')[1]!.split('\n## ')[0]!;

test.each([
  ['starts of syncs', `${LIMITS.syncStartsPerMinute} a minute and organization`],
  ['starts of syncs', `${LIMITS.openRunsPerConnectionMax} open runs a connection`],
  ['/api/mcp', `${LIMITS.agentCallsPerMinute} a minute and credential`],
  ['/api/mcp', `${LIMITS.agentCallsPerOrganizationAndMinute} a minute and organization`],
  ['/api/mcp', `${LIMITS.agentRowsMax} rows and ${LIMITS.agentAnswerBytesMax / 1024} KB an answer`],
  ['/api/oauth/token', `${LIMITS.refreshesPerMinute} a minute and grant`],
  ['/api/oauth/reviews', `${LIMITS.consentsPerMinute} a minute and person`],
  ['/api/oauth/reviews', `${LIMITS.grantsPerOrganizationMax} grants an organization`],
  ['documents of clients', `${LIMITS.clientDocumentMs / 1000} s, ${LIMITS.clientDocumentBytesMax / 1024} KB`],
])('%s: %s', (at, bound) => {
  expect(section.split('\n').find((line) => line.includes(at))).toContain(bound);
});
