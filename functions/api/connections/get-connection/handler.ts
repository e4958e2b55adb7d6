import * as connections from '#shared/connections/connection.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toConnection } from '#shared/http/views/connection.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { requireManifest } from '#shared/sources/find-manifest.ts';
import { contract } from './contract.ts';

export const getConnection: Logic<typeof contract> = async ({ caller, params }) => {
  const connection = await connections.find(caller.organizationId, params.id);
  if (!connection) throw notFound('connection_not_found');
  return { status: 200, body: { data: toConnection(connection, requireManifest(connection.source), nowMs()) } };
};

export const handler = endpoint(contract, getConnection);
