/** A connection in the table, as if an organization had created it. */

import { randomUUID } from 'node:crypto';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { nowIso } from '#shared/platform/clock.ts';

export const storeConnection = async (organizationId: string, source: string): Promise<string> => {
  const id = randomUUID();
  await connections.create(
    {
      organizationId,
      id,
      source,
      name: source,
      enabledScopes: [],
      metadata: {},
      status: 'active',
      schedule: { enabled: false, frequencyMinutes: null, startsAt: null, revision: 0 },
      credentialsVersion: 1,
      openRuns: [],
      syncedScopes: [],
      lastSyncStatus: null,
      lastSuccessfulSyncAt: null,
      createdAt: nowIso(),
    },
    new Uint8Array(),
    BY_SERVICE,
  );
  return id;
};
