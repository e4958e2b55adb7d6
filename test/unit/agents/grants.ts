/** A grant right after its code was redeemed. */
import type { Grant } from '#shared/agents/grant.rules.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';

export const AT_MS = Date.parse('2026-11-22T12:00:00.000Z');

export const iso = (ms: number): string => new Date(ms).toISOString();

export const aGrant = (): Grant => ({
  id: 'grant',
  organizationId: 'org',
  subject: 'person',
  clientId: 'client',
  clientName: 'Agent',
  publisher: null,
  redirectKind: 'web',
  redirectHost: 'client.test',
  scope: 'data:read',
  resource: 'https://data.example/api/mcp',
  mayRefresh: true,
  clientAuth: null,
  createdAt: iso(AT_MS),
  expiresAt: iso(AT_MS + AGENT_LIMITS.grantMs),
  generation: 1,
  siblings: 0,
  rotatedAt: null,
  lastUsedAt: null,
  revokedAt: null,
  revokedFor: null,
});
