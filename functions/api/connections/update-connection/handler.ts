import type * as z from 'zod';
import * as connections from '#shared/data/connections.ts';
import {
  type Connection,
  type Schedule,
  statusAfterEnabling,
  statusAfterNewCredentials,
} from '#shared/domain/connection.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/errors.ts';
import { toConnection } from '#shared/http/views/connection.ts';
import type { ConnectionChanges } from '#shared/http/views/connection-body.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { judgeConnectionInput } from '#shared/sources/connection-input.ts';
import { manifestOf } from '#shared/sources/find-manifest.ts';
import { contract } from './contract.ts';

/** Others may change the connection at the same time; each try decides anew by what it finds. */
const TRIES_MAX = 5;

const restarted = (schedule: Schedule, atMs: number): Schedule => {
  const { enabled, frequencyMinutes, revision } = schedule;
  if (!enabled || frequencyMinutes === null) return schedule;
  return { ...schedule, startsAt: new Date(atMs + frequencyMinutes * 60_000).toISOString(), revision: revision + 1 };
};

const changesTo = async (
  connection: Connection,
  body: z.infer<typeof ConnectionChanges>,
): Promise<connections.ConnectionChange> => {
  const { enabledScopes, credentials, metadata } = judgeConnectionInput(manifestOf(connection.source), body);
  const changes: connections.ConnectionChange = {};
  let { status } = connection;
  if (body.name !== undefined) changes.name = body.name;
  if (enabledScopes) changes.enabledScopes = enabledScopes;
  if (metadata) changes.metadata = metadata;
  if (credentials) {
    const resource = secretResource.credentials(connection.id);
    const ciphertext = await encryptSecret(connection.organizationId, resource, JSON.stringify(credentials));
    changes.credentials = { ciphertext, expectedVersion: connection.credentialsVersion };
    status = statusAfterNewCredentials(status);
  }
  if (body.enabled !== undefined) {
    if (body.enabled && status === 'disabled') changes.schedule = restarted(connection.schedule, nowMs());
    status = statusAfterEnabling(status, body.enabled);
  }
  if (status !== connection.status) changes.status = status;
  return changes;
};

export const updateConnection: Logic<typeof contract> = async ({ caller, params, body }) => {
  for (let tries = 1; ; tries++) {
    const connection = await connections.find(caller.organizationId, params.id);
    if (!connection) throw notFound('connection_not_found');
    const changes = await changesTo(connection, body);
    try {
      if (Object.keys(changes).length > 0) await connections.change(connection, changes);
    } catch (error) {
      if (error instanceof connections.ConnectionChanged && tries < TRIES_MAX) continue;
      throw error;
    }
    const changed = await connections.find(caller.organizationId, params.id);
    if (!changed) throw notFound('connection_not_found');
    return { status: 200, body: { data: toConnection(changed, manifestOf(changed.source), nowMs()) } };
  }
};

export const handler = endpoint(contract, updateConnection);
