/** Prevents rows of two companies in one connection, because no total over such rows is correct. */
import { isOtherCompany } from '#shared/connections/account-key.rules.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { isAnythingStored } from '#shared/rows/index/page-index.store.ts';
import { requireManifest } from '#shared/sources/find-manifest.ts';

/** True if rows of the connection's company are stored, or a worker may still store some. */
const mayHaveRows = async (connection: Connection): Promise<boolean> => {
  const { organizationId, id: connectionId, source, openRuns, syncedScopes, lastSyncStatus } = connection;
  // The totals of a synchronized scope without rows are zero, which is a statement about its company. The worker of a
  // cancelled run writes until it reads that its run is over.
  if (openRuns.length > 0 || syncedScopes.length > 0 || lastSyncStatus === 'cancelled') return true;
  const { scopes } = requireManifest(source);
  const found = await Promise.all(scopes.map((scope) => isAnythingStored({ organizationId, connectionId, scope })));
  return found.includes(true);
};

/**
 * True if credentials of the account `sent` could bring rows of another company into the connection. False if the
 * connection's company is unknown: its credentials name none, or it is older than this rule and had no run since.
 */
export const mixesCompanies = async (connection: Connection, sent: string | undefined): Promise<boolean> =>
  isOtherCompany(connection.accountKey, sent) && (await mayHaveRows(connection));
