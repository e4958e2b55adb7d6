/** OAuth access tokens. Issued by the OAuth server one day; until then by an operator's command (decisions.md §2). */

import { newId } from '#shared/platform/ids.ts';
import * as table from '#shared/table/table.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { newToken, putToken, tokenHash } from './token.store.ts';

/** @returns the token itself: it is not kept and cannot be shown again. */
export const createAccessToken = async (
  organizationId: OrganizationId,
  options: { expiresAt: string },
): Promise<{ id: string; token: string }> => {
  const token = newToken('access-token');
  const id = newId();
  const record = {
    sha256: tokenHash(token),
    kind: 'access-token',
    organizationId,
    credentialId: id,
    expiresAt: options.expiresAt,
    revokedAt: null,
    lastUsedAt: null,
  } as const;
  await table.put(putToken(record), { if: 'attribute_not_exists(pk)' });
  return { id, token };
};
