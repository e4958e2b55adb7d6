/** Returns facts about a credential to the caller that uses this credential. */
import * as grants from '#shared/agents/grant.store.ts';
import * as apiKeys from '#shared/auth/api-key.store.ts';
import type { Agent } from './tool.ts';

export interface CredentialAbout {
  /** Name of the application or the key. */
  client: string | null;
  expiresAt: string | null;
}

export const describeCredential = async ({ organizationId, credentialId, kind }: Agent): Promise<CredentialAbout> => {
  if (kind === 'access-token') {
    const grant = await grants.find(organizationId, credentialId);
    return { client: grant?.clientName ?? null, expiresAt: grant?.expiresAt ?? null };
  }
  const key = await apiKeys.find(organizationId, credentialId);
  return { client: key?.name ?? null, expiresAt: key?.expiresAt ?? null };
};
