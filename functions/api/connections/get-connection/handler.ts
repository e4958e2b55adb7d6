import * as connections from '#shared/connections/connection.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { showConnection } from '../show-connection.ts';
import { contract } from './contract.ts';

export const getConnection: Logic<typeof contract> = async ({ caller, params }) => {
  const connection = await connections.find(caller.organizationId, params.id);
  if (!connection) throw notFound('connection_not_found');
  const { shown } = await showConnection(connection);
  return { status: 200, body: { data: shown } };
};

export const handler = endpoint(contract, getConnection);
