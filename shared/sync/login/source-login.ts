/**
 * Sessions at the institution, bound to the version of the credentials. A login is counted before the request is sent
 * (login-gate.ts), and its session is stored at once.
 */

import type { Connection } from '#shared/connections/connection.rules.ts';
import { decryptSecret, encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { type JsonObject, type SourceAdapter, SourceError, type SourceIo } from '#shared/sources/source.ts';
import { note } from '#shared/sync/progress.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { isTerminal, type RunFailure, type SyncRun } from '#shared/sync/run.rules.ts';
import type { Lease, Slot, SourceAccount } from '#shared/table/lease.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { SYNC_ERRORS } from '#shared/values/sync-errors.ts';
import { type LoginAsker, loginGate } from './login-gate.ts';
import type { EngineIo } from './source-io.ts';
import type { KeptSession } from './source-session.store.ts';
import * as kept from './source-session.store.ts';

const sessionResource = ({ source, key }: SourceAccount): string => secretResource.session(source, key);

/**
 * Returns the fault if these exact credentials have a fault that only their owner can fix. No other scope of the run
 * logs in with such credentials.
 */
export const permanentFailure = ({ login }: SyncRun, credentialsVersion: number): RunFailure | null => {
  if (!login?.fault || login.credentialsVersion !== credentialsVersion) return null;
  return SYNC_ERRORS[login.fault.code].responsible === 'owner' ? login.fault : null;
};

export interface SessionContext extends LoginAsker {
  source: SourceAdapter;
  connection: Connection;
  io: EngineIo;
}

const slotOf = (lease: Lease): Slot => {
  if (lease.slot === null) throw new Error('a session needs a slot');
  return lease.slot;
};

/**
 * Makes one login. The session is stored before anything else is written, so that it is logged out even if this worker
 * dies.
 */
export const logIn = async (context: SessionContext): Promise<JsonObject> => {
  const { source, connection, opened, io, run } = context;
  await note(run, 'connecting', null);
  await io.nearTurn();
  const accepted: (() => Promise<unknown>)[] = [];
  const login = loginGate(context, async (settled) => accepted.push(settled));
  const settle = async (): Promise<void> => {
    for (const settled of accepted.splice(0)) await settled();
  };
  const request = { credentials: opened.credentials, metadata: connection.metadata as JsonObject };
  const session = await io
    .sitOut(() => source.connect(request, { ...io, login }))
    .catch(async (error: unknown) => {
      await settle();
      await noteFault(context, error);
      throw error;
    });
  await keepSession(context, session);
  await settle();
  return session;
};

/**
 * Notes that the login is accepted but useless, for example because the user may not read the company. The other scopes
 * then skip their attempts.
 */
const noteFault = async ({ task, opened }: SessionContext, error: unknown): Promise<void> => {
  if (!(error instanceof SourceError) || SYNC_ERRORS[error.code].retried) return;
  const fault = { code: error.code, message: error.message };
  await runs.advance(task.organizationId, task.connectionId, task.runId, (run) => {
    const isOurs = run.login?.credentialsVersion === opened.version && run.login.fault === null;
    const items = isTerminal(run) || !isOurs ? [] : [runs.runChange(run, { login: { ...run.login!, fault } }, null)];
    return { items, value: null };
  });
};

export const keepSession = async (
  { lease, connection, opened }: SessionContext,
  session: JsonObject,
  isOver = false,
): Promise<void> => {
  const slot = slotOf(lease);
  const ciphertext = await encryptSecret(lease.organizationId, sessionResource(slot.login), JSON.stringify(session));
  await kept.keep(lease.organizationId, slot, {
    connectionId: connection.id,
    credentialsVersion: opened.version,
    ciphertext,
    ...(isOver && { isOver }),
  });
};

/** Moves the due entry of the stored session to a later time, because the session is in use. */
export const postponeLogout = async ({ lease }: SessionContext): Promise<void> => {
  const slot = slotOf(lease);
  if (kept.isLookedAtSoon(slot)) await kept.postpone(lease.organizationId, slot);
};

/** Returns the session stored with the slot if it belongs to these credentials; otherwise logs in. */
export const openSession = async (context: SessionContext): Promise<JsonObject> => {
  const { lease, connection, opened, source, io } = context;
  const slot = slotOf(lease);
  const found = await findSession(lease.organizationId, slot);
  if (!found) return logIn(context);
  const isOurs = found.connectionId === connection.id && found.credentialsVersion === opened.version;
  if (isOurs && !found.isOver) return found.session;
  // The session belongs to another connection, has older credentials, or is over. It is logged out, so that it does not
  // use up a session at the institution.
  await source.disconnect(found.session, io);
  await kept.forget(lease.organizationId, slot);
  return logIn(context);
};

const findSession = async (
  organizationId: OrganizationId,
  slot: Slot,
): Promise<(Omit<KeptSession, 'ciphertext'> & { session: JsonObject }) | undefined> => {
  const found = await kept.find(organizationId, slot);
  if (!found) return undefined;
  const { ciphertext, ...rest } = found;
  return { ...rest, session: JSON.parse(await decryptSecret(organizationId, sessionResource(slot.login), ciphertext)) };
};

/** Logs out the session stored with a slot. The caller holds the slot. */
export const logOut = async (
  organizationId: OrganizationId,
  slot: Slot,
  source: SourceAdapter,
  io: SourceIo,
): Promise<void> => {
  const found = await findSession(organizationId, slot);
  if (!found) return;
  await source.disconnect(found.session, io);
  await kept.forget(organizationId, slot);
};
