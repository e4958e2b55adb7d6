import * as connections from '#shared/connections/connection.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { toConnection } from '#shared/http/views/connection.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { requireManifest } from '#shared/sources/find-manifest.ts';
import { contract } from './contract.ts';

export const listConnections: Logic<typeof contract> = async ({ caller }) => {
  const found = await connections.list(caller.organizationId);
  const atMs = nowMs();
  return {
    status: 200,
    body: { data: found.map((connection) => toConnection(connection, requireManifest(connection.source), atMs)) },
  };
};

export const handler = endpoint(contract, listConnections);
