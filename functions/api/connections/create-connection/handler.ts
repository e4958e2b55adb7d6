import type { Cause } from '#shared/audit/audit.rules.ts';
import { identifyAccount } from '#shared/connections/account-key.rules.ts';
import { type Connection, newConnection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { TooManyConnections } from '#shared/connections/count-connections.store.ts';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { judgeConnectionInput, requireActive } from '#shared/http/request/connection-input.ts';
import { invalidBody } from '#shared/http/response/errors.ts';
import { toCreatedConnection } from '#shared/http/views/connection.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { ACTIVE_CODES, findManifest } from '#shared/sources/find-manifest.ts';
import { storedMetadata } from '#shared/values/own-metadata.ts';
import { showConnection } from '../show-connection.ts';
import { contract } from './contract.ts';

const TOO_MANY = `an organization may have at most ${CONNECTION_LIMITS.connectionsPerOrganizationMax} connections`;

/**
 * If an earlier request with the same Idempotency-Key was interrupted after the write, finds the connection that it
 * created.
 */
const createOrFind = async (connection: Connection, credentials: Uint8Array, cause: Cause): Promise<Connection> => {
  try {
    await connections.create(connection, credentials, cause);
    return connection;
  } catch (error) {
    if (error instanceof TooManyConnections) throw invalidBody(TOO_MANY);
    if (!(error instanceof connections.ConnectionExists)) throw error;
    return (await connections.find(connection.organizationId, connection.id)) ?? connection;
  }
};

export const createConnection: Logic<typeof contract> = async ({ caller: { organizationId }, cause, body, newId }) => {
  const manifest = requireActive(findManifest(body.external_source_code), ACTIVE_CODES);
  const { enabledScopes, credentials, metadata } = judgeConnectionInput(manifest, body);
  const id = newId();
  const resource = secretResource.credentials({ source: manifest.code, id });
  const ciphertext = await encryptSecret(organizationId, resource, JSON.stringify(credentials));
  const connection = await createOrFind(
    newConnection({
      ...{ id, organizationId, source: manifest.code, name: body.name, enabledScopes },
      metadata: storedMetadata(metadata),
      accountKey: identifyAccount(manifest, organizationId, credentials),
      ...{ createdAt: nowIso(), createdBy: cause.author },
    }),
    ciphertext,
    cause,
  );
  const { shown, sharers } = await showConnection(connection);
  return { status: 201, body: toCreatedConnection(shown, sharers) };
};

export const handler = endpoint(contract, createConnection);
