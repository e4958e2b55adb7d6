/**
 * Sessions at the institution, bound to the version of the credentials. A login is counted before it is made
 * (login-gate.ts), and its session kept at once.
 */
import { createHmac } from 'node:crypto';
import * as connections from '#shared/data/connections.ts';
import type { Lease, Login } from '#shared/data/leases.ts';
import * as logins from '#shared/data/logins.ts';
import * as runs from '#shared/data/runs.ts';
import * as kept from '#shared/data/sessions.ts';
import type { Connection } from '#shared/domain/connection.ts';
import { secretsIn } from '#shared/domain/credential-fields.ts';
import { SYNC_ERRORS } from '#shared/domain/error-codes.ts';
import { isTerminal, type SyncRun } from '#shared/domain/sync-run.ts';
import {
  decryptSecret,
  encryptSecret,
  fingerprintSecret,
  newFingerprintKey,
  secretResource,
} from '#shared/platform/crypto.ts';
import { type JsonObject, type SourceAdapter, SourceError, type SourceIo } from '#shared/sources/source.ts';
import { type LoginAsker, loginGate } from './login-gate.ts';
import type { Failure } from './outcomes.ts';

const sessionResource = ({ source, key }: Login): string => secretResource.session(source, key);

export interface OpenedCredentials {
  credentials: JsonObject;
  version: number;
  login: Login;
  /** Of the password alone: connections to other companies of a login use the same one. For logins only. */
  fingerprint(): Promise<string>;
}

/** The credentials in clear: they live in this function only while it works. */
export const openCredentials = async (connection: Connection, source: SourceAdapter): Promise<OpenedCredentials> => {
  const { organizationId, id } = connection;
  const stored = await connections.findCredentials(organizationId, id);
  if (!stored) throw new SourceError('source.invalid_credentials', 'The connection has no credentials.');
  const credentials = JSON.parse(
    await decryptSecret(organizationId, secretResource.credentials(connection), stored.ciphertext),
  );
  const login = loginOf(source, organizationId, credentials);
  const fingerprint = async () => {
    const secrets = JSON.stringify(secretsIn(source.manifest.credentialsSchema, credentials));
    return fingerprintSecret(await fingerprintKey(organizationId, login), secrets);
  };
  return { credentials, version: stored.version, login, fingerprint };
};

/** One for all connections of a login, made for its first. */
const fingerprintKey = async (organizationId: string, login: Login): Promise<string> => {
  const resource = secretResource.fingerprints(login.source, login.key);
  const kept =
    (await logins.findFingerprintKey(organizationId, login)) ??
    (await logins.keepFingerprintKey(
      organizationId,
      login,
      await encryptSecret(organizationId, resource, newFingerprintKey()),
    ));
  return decryptSecret(organizationId, resource, kept);
};

export const loginOf = (source: SourceAdapter, organizationId: string, credentials: JsonObject): Login => ({
  source: source.manifest.code,
  key: createHmac('sha256', organizationId).update(source.loginOf(credentials)).digest('hex').slice(0, 32),
  sessionsMax: source.manifest.sessionsPerLogin,
});

/** A verdict on these very credentials that only their owner can change: no scope knocks again. */
export const finalVerdict = ({ login }: SyncRun, credentialsVersion: number): Failure | null => {
  if (!login?.fault || login.credentialsVersion !== credentialsVersion) return null;
  return SYNC_ERRORS[login.fault.code].mends === 'owner' ? login.fault : null;
};

export interface SessionContext extends LoginAsker {
  source: SourceAdapter;
  connection: Connection;
  io: SourceIo;
}

const slotOf = (lease: Lease): { login: Login; n: number } => {
  if (lease.slot === null) throw new Error('a session needs a slot');
  return lease.slot;
};

/** One login; the session is kept before anything else is written, so that it is logged out even if this worker dies. */
export const logIn = async (context: SessionContext): Promise<JsonObject> => {
  const { source, connection, opened, io } = context;
  const accepted: (() => Promise<unknown>)[] = [];
  const login = loginGate(context, async (settled) => accepted.push(settled));
  const settle = async (): Promise<void> => {
    for (const settled of accepted.splice(0)) await settled();
  };
  const request = { credentials: opened.credentials, metadata: connection.metadata as JsonObject };
  const session = await source.connect(request, { ...io, login }).catch(async (error: unknown) => {
    await settle();
    await noteFault(context, error);
    throw error;
  });
  await keepSession(context, session);
  await settle();
  return session;
};

/** An accepted login may still lead nowhere (a company that it may not read): the other scopes need not try. */
const noteFault = async ({ work, opened }: SessionContext, error: unknown): Promise<void> => {
  if (!(error instanceof SourceError) || SYNC_ERRORS[error.code].retried) return;
  const fault = { code: error.code, message: error.message };
  await runs.advance(work.organizationId, work.connectionId, work.runId, (run) =>
    isTerminal(run) || run.login?.credentialsVersion !== opened.version || run.login.fault !== null
      ? null
      : [runs.runChange(run, { login: { ...run.login, fault } }, null)],
  );
};

export const keepSession = async (
  { lease, connection, opened }: SessionContext,
  session: JsonObject,
): Promise<void> => {
  const { login, n } = slotOf(lease);
  const ciphertext = await encryptSecret(lease.organizationId, sessionResource(login), JSON.stringify(session));
  await kept.keep(lease.organizationId, login, n, {
    connectionId: connection.id,
    credentialsVersion: opened.version,
    ciphertext,
  });
};

/** The session kept with our slot, if it belongs to these credentials; else a login. */
export const openSession = async (context: SessionContext): Promise<JsonObject> => {
  const { lease, connection, opened, source, io } = context;
  const { login, n } = slotOf(lease);
  const found = await findSession(lease.organizationId, login, n);
  if (!found) return logIn(context);
  if (found.connectionId === connection.id && found.credentialsVersion === opened.version) return found.session;
  // Another connection's, or of older credentials: it must not hold a place at the institution.
  await source.disconnect(found.session, io);
  await kept.forget(lease.organizationId, login, n);
  return logIn(context);
};

const findSession = async (
  organizationId: string,
  login: Login,
  n: number,
): Promise<{ connectionId: string; credentialsVersion: number; session: JsonObject } | undefined> => {
  const found = await kept.find(organizationId, login, n);
  if (!found) return undefined;
  const session = JSON.parse(await decryptSecret(organizationId, sessionResource(login), found.ciphertext));
  return { connectionId: found.connectionId, credentialsVersion: found.credentialsVersion, session };
};

/** Logs the session kept with a slot out. The caller holds the slot. */
export const logOut = async (
  organizationId: string,
  login: Login,
  n: number,
  source: SourceAdapter,
  io: SourceIo,
): Promise<void> => {
  const found = await findSession(organizationId, login, n);
  if (!found) return;
  await source.disconnect(found.session, io);
  await kept.forget(organizationId, login, n);
};
