/**
 * Sessions at the institution, bound to the version of the credentials. A login is counted before the request is sent
 * (login-gate.ts), and its session is stored at once.
 */

import type { Connection } from '#shared/connections/connection.rules.ts';
import { decryptSecret, encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import {
  type JsonObject,
  SessionExpired,
  type SourceAdapter,
  SourceError,
  type SourceIo,
} from '#shared/sources/source.ts';
import { approvalNotes, note } from '#shared/sync/progress.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { isTerminal, type RunFailure, type SyncRun } from '#shared/sync/run.rules.ts';
import type { Lease, Slot, SourceAccount } from '#shared/table/lease.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { SYNC_ERRORS } from '#shared/values/sync-errors.ts';
import { faultAfterLogin } from './login-fault.rules.ts';
import { type LoginAsker, loginGate } from './login-gate.ts';
import type { EngineIo } from './source-io.ts';
import type { KeptSession } from './source-session.store.ts';
import * as kept from './source-session.store.ts';

const sessionResource = ({ source, key }: SourceAccount): string => secretResource.session(source, key);

/**
 * Returns the fault if no scope of the run may make another request: only the owner of these credentials can fix the
 * fault, or the institution ended two sessions.
 */
export const permanentFailure = ({ login }: SyncRun, credentialsVersion: number): RunFailure | null => {
  if (!login?.fault || login.credentialsVersion !== credentialsVersion) return null;
  return login.isOver || SYNC_ERRORS[login.fault.code].responsible === 'owner' ? login.fault : null;
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
  const approval = approvalNotes(run);
  const request = { credentials: opened.credentials, metadata: connection.metadata as JsonObject };
  const session = await io
    .sitOut(() => source.connect(request, { ...io, login, awaitsApproval: approval.begin }))
    .catch(async (error: unknown) => {
      await settle();
      const isEnded = error instanceof SessionExpired;
      const fault = isEnded ? new SourceError(error.code, error.message) : error;
      if (fault instanceof SourceError && (isEnded || !SYNC_ERRORS[fault.code].retried))
        await noteFault(context, fault);
      await approval.end();
      throw fault;
    });
  await keepSession(context, session);
  await settle();
  await approval.end();
  return session;
};

/**
 * Notes that the login is accepted but useless, for example because the user may not read the company. The other scopes
 * then skip their attempts.
 */
export const noteFault = async (
  { task, opened }: SessionContext,
  { code, message }: SourceError,
  { isOver = false } = {},
): Promise<void> => {
  await runs.advance(task.organizationId, task.connectionId, task.runId, (run) => {
    // Another scope may have logged in with newer credentials, or noted a fault.
    const isOurs = !run.login || (run.login.credentialsVersion === opened.version && run.login.fault === null);
    const login = faultAfterLogin(run.login, opened.version, { fault: { code, message }, isOver });
    return { items: isTerminal(run) || !isOurs ? [] : [runs.runChange(run, { login }, null)], value: null };
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
