import type * as z from 'zod';
import { identifyAccount } from '#shared/connections/account-key.rules.ts';
import { changeConnection } from '#shared/connections/change-connection.ts';
import {
  type Connection,
  type ConnectionChange,
  statusAfterEnabling,
  statusAfterNewCredentials,
} from '#shared/connections/connection.rules.ts';
import { applySchedule } from '#shared/connections/reconcile-schedules.ts';
import { scheduleAfterSwitch } from '#shared/connections/schedule.rules.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { judgeConnectionInput } from '#shared/http/request/connection-input.ts';
import { ApiError, notFound } from '#shared/http/response/errors.ts';
import type { ConnectionChanges } from '#shared/http/views/connection-body.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { requireManifest } from '#shared/sources/find-manifest.ts';
import { mixesCompanies } from '#shared/sync/login/mixes-companies.ts';
import { mergeMetadata, splitCleared } from '#shared/values/own-metadata.ts';
import { showConnection } from '../show-connection.ts';
import { contract } from './contract.ts';

const OTHER_COMPANY =
  'The credentials are of another company. The connection has rows of its own company, or a sync may still store some. ' +
  'Create a connection for the other company.';

const changesTo = async (
  connection: Connection,
  body: z.infer<typeof ConnectionChanges>,
): Promise<ConnectionChange> => {
  const { cleared, metadata: sent } = splitCleared(body.metadata ?? {});
  const input = body.metadata === undefined ? body : { ...body, metadata: sent };
  const manifest = requireManifest(connection.source);
  const { enabledScopes, credentials, metadata } = judgeConnectionInput(manifest, input);
  const changes: ConnectionChange = {};
  let { status } = connection;
  if (body.name !== undefined) changes.name = body.name;
  if (enabledScopes) changes.enabledScopes = enabledScopes;
  if (metadata) changes.metadata = mergeMetadata(connection.metadata, { cleared, metadata });
  if (credentials) {
    const { organizationId, credentialsVersion: expectedVersion } = connection;
    const accountKey = identifyAccount(manifest, organizationId, credentials);
    if (await mixesCompanies(connection, accountKey)) throw new ApiError('connection_other_company', OTHER_COMPANY);
    const resource = secretResource.credentials(connection);
    const ciphertext = await encryptSecret(organizationId, resource, JSON.stringify(credentials));
    changes.credentials = { ciphertext, expectedVersion, accountKey };
    status = statusAfterNewCredentials(status);
  }
  if (body.enabled !== undefined) {
    if (body.enabled === (status === 'disabled'))
      changes.schedule = scheduleAfterSwitch(connection, { isEnabled: body.enabled }, nowMs());
    status = statusAfterEnabling(status, { isEnabled: body.enabled });
  }
  return { ...changes, status };
};

export const updateConnection: Logic<typeof contract> = async ({ caller: { organizationId }, cause, params, body }) => {
  const decide = (connection: Connection) => changesTo(connection, body);
  const changed = await changeConnection(organizationId, params.id, decide, cause);
  if (!changed) throw notFound('connection_not_found');
  const { before, after } = changed;
  if (after.schedule.revision !== before.schedule.revision) await applySchedule(organizationId, after.id);
  const { shown } = await showConnection(after);
  return { status: 200, body: { data: shown } };
};

export const handler = endpoint(contract, updateConnection);
