/**
 * Sessions at the institution. A login and its try are recorded before it is made and its verdict after, bound to the
 * version of the credentials: a rejected password is never sent twice, and a login whose verdict was lost with its
 * worker is repeated once in all (decisions.md §5).
 */
import { createHmac } from 'node:crypto';
import * as connections from '#shared/data/connections.ts';
import type { Lease, Login } from '#shared/data/leases.ts';
import * as runs from '#shared/data/runs.ts';
import * as kept from '#shared/data/sessions.ts';
import type { Connection } from '#shared/domain/connection.ts';
import { type SourceErrorCode, SYNC_ERRORS } from '#shared/domain/error-codes.ts';
import type { ScopeWork } from '#shared/domain/scope-work.ts';
import { isTerminal, type LoginRecord, type SyncRun } from '#shared/domain/sync-run.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { decryptSecret, encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { type JsonObject, type SourceAdapter, SourceError, type SourceIo } from '#shared/sources/source.ts';
import { isLoginInFlight, wakeForVerdict } from './waiting.ts';

const sessionResource = ({ source, key }: Login): string => secretResource.session(source, key);

/** Another scope of the run is logging in right now: its verdict decides. */
export class LoginInFlight extends Error {}
/** Two workers died in the middle of a login; a third try might lock the account. */
export class LoginsLost extends Error {}

export interface OpenedCredentials {
  credentials: JsonObject;
  version: number;
  login: Login;
}

/** The credentials in clear: they live in this function only while it works. */
export const openCredentials = async (connection: Connection, source: SourceAdapter): Promise<OpenedCredentials> => {
  const { organizationId, id } = connection;
  const stored = await connections.findCredentials(organizationId, id);
  if (!stored) throw new SourceError('source.invalid_credentials', 'The connection has no credentials.');
  const credentials = JSON.parse(
    await decryptSecret(organizationId, secretResource.credentials(connection), stored.ciphertext),
  );
  return { credentials, version: stored.version, login: loginOf(source, organizationId, credentials) };
};

export const loginOf = (source: SourceAdapter, organizationId: string, credentials: JsonObject): Login => ({
  source: source.manifest.code,
  key: createHmac('sha256', organizationId).update(source.loginOf(credentials)).digest('hex').slice(0, 32),
  sessionsMax: source.manifest.sessionsPerLogin,
});

/** A verdict on these very credentials that another try cannot change, or that forbids one: nobody knocks again. */
export const finalVerdict = (
  run: SyncRun,
  credentialsVersion: number,
): { code: SourceErrorCode; message: string } | null => {
  const { login } = run;
  if (!login || login.credentialsVersion !== credentialsVersion || login.verdict === null || login.verdict === 'ok')
    return null;
  return SYNC_ERRORS[login.verdict].retried ? null : { code: login.verdict, message: login.message ?? '' };
};

const recordLogin = async (work: ScopeWork, version: number): Promise<void> => {
  await runs.advance(work.organizationId, work.connectionId, work.runId, (run) => {
    if (isTerminal(run)) throw new LoginInFlight();
    // Asked again of the run as it is now: the refusal may be younger than what the scope read before its turn came.
    const refused = finalVerdict(run, version);
    if (refused) throw new SourceError(refused.code, refused.message);
    const before = run.login?.credentialsVersion === version ? run.login : null;
    const verdictIsOut = before !== null && before.verdict === null;
    if (isLoginInFlight({ login: before }, work.scope)) throw new LoginInFlight();
    const lost = (before?.lost ?? 0) + (verdictIsOut ? 1 : 0);
    if (lost >= LIMITS.loginsWithoutVerdictMax) throw new LoginsLost();
    const login: LoginRecord = {
      credentialsVersion: version,
      by: work.scope,
      startedAt: nowIso(),
      verdict: null,
      message: null,
      lost,
    };
    return [runs.runChange(run, { login }, null)];
  });
};

const recordVerdict = async (
  work: ScopeWork,
  version: number,
  verdict: 'ok' | SourceErrorCode,
  message: string | null,
): Promise<void> => {
  const run = await runs.advance(work.organizationId, work.connectionId, work.runId, (found) =>
    isTerminal(found) || found.login?.credentialsVersion !== version
      ? null
      : [runs.runChange(found, { login: { ...found.login, verdict, message } }, null)],
  );
  if (run && run.scopes.length > 1) await wakeForVerdict(work, run.scopes.length);
};

export interface SessionContext {
  source: SourceAdapter;
  work: ScopeWork;
  lease: Lease;
  connection: Connection;
  opened: OpenedCredentials;
  io: SourceIo;
}

const slotOf = (lease: Lease): { login: Login; n: number } => {
  if (lease.slot === null) throw new Error('a session needs a slot');
  return lease.slot;
};

/** One login, tried once; the session is kept at once, so that it is logged out even if this worker dies. */
export const logIn = async (context: SessionContext): Promise<JsonObject> => {
  const { source, work, connection, opened, io } = context;
  await recordLogin(work, opened.version);
  let session: JsonObject;
  try {
    session = await source.connect(
      { credentials: opened.credentials, metadata: connection.metadata as JsonObject },
      io,
    );
  } catch (error) {
    if (error instanceof SourceError) await recordVerdict(work, opened.version, error.code, error.message);
    throw error;
  }
  await keepSession(context, session);
  await recordVerdict(work, opened.version, 'ok', null);
  return session;
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
