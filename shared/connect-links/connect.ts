/** Makes or repairs a connection with the credentials that a customer sends through a link. */
import type { Cause } from '#shared/audit/audit.rules.ts';
import { readAccountHash } from '#shared/connections/account-key.rules.ts';
import { type Connection, newConnection, statusAfterNewCredentials } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { mixesCompanies } from '#shared/sync/login/mixes-companies.ts';
import { countSyncStart } from '#shared/sync/run/start-throttle.store.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { enqueueRun, queuedRun } from '#shared/sync/start-run.ts';
import { AppError } from '#shared/values/app-error.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { CONNECT_LINK_LIMITS } from './limits.ts';
import type { ConnectLink } from './link.rules.ts';
import { readVerdict } from './read-verdict.ts';
import { createConnection, replaceCredentials } from './submit-credentials.store.ts';
import { takesCredentials } from './verdict.rules.ts';
import type { LinkVisit } from './visit.rules.ts';
import { countRefused } from './visit.store.ts';

export interface LinkSession {
  link: ConnectLink;
  visit: LinkVisit;
}

/** The link takes no more credentials: the institution accepted some, or too many were sent. */
export class LinkOver extends AppError {}
/** The institution is checking credentials of this customer. */
export class LinkBusy extends AppError {}

interface SentCredentials {
  /** Validated by the source's schema. */
  credentials: Record<string, unknown>;
  /** Account by `identifyAccount`. Undefined if the source's logins name nobody. */
  accountKey: string | undefined;
  /** Id of the connection if it must be created. */
  connectionId: string;
  runId: string;
}

const firstRun = (connection: Connection, runId: string): SyncRun =>
  queuedRun(connection, { runId, scopes: connection.enabledScopes, inputMetadata: {}, trigger: 'manual' });

const encrypted = ({ organizationId, source }: ConnectLink, { connectionId: id, credentials }: SentCredentials) =>
  encryptSecret(organizationId, secretResource.credentials({ source, id }), JSON.stringify(credentials));

/**
 * Creates the connection of this customer.
 *
 * @throws VisitOver
 * @throws TooManyConnections
 */
const createFromLink = async ({ link, visit }: LinkSession, sent: SentCredentials, cause: Cause): Promise<SyncRun> => {
  const { organizationId, source, name, enabledScopes, metadata } = link;
  const ciphertext = await encrypted(link, sent);
  const fields = {
    ...{ id: sent.connectionId, organizationId, source, name, enabledScopes, accountKey: sent.accountKey },
    metadata: visit.reference === null ? metadata : { ...metadata, reference: visit.reference },
    ...{ createdAt: nowIso(), createdBy: cause.author },
  };
  const connection: Connection = { ...newConnection(fields), openRuns: [sent.runId] };
  const run = firstRun(connection, sent.runId);
  await countSyncStart(organizationId);
  await createConnection({ link, visit }, { connection, ciphertext, run }, cause);
  return run;
};

/** The credentials are of another login or company than those of the connection. */
export class OtherAccount extends AppError {}

/**
 * Replaces the credentials of this customer's connection.
 *
 * @throws OtherAccount if a link for a repair gets another login or company, or any link another company than that of
 * rows which may be stored
 * @throws VisitOver
 * @throws ConnectionGone if the connection was deleted
 */
const repairFromLink = async ({ link, visit }: LinkSession, sent: SentCredentials, cause: Cause): Promise<SyncRun> => {
  const ciphertext = await encrypted(link, sent);
  const { accountKey, runId } = sent;
  const { connectionChangeAttemptsMax } = CONNECTION_LIMITS;
  return retryOnConflict([connections.ConnectionConflict], connectionChangeAttemptsMax, async (attempt) => {
    const connection = await connections.find(link.organizationId, sent.connectionId);
    if (!connection || connection.status === 'disabled') throw new connections.ConnectionGone();
    const { credentialsVersion: expectedVersion, openRuns } = connection;
    // Somebody else has replaced the credentials since this customer sent some, so the link mends nothing any more.
    if (visit.credentialsVersion !== null && visit.credentialsVersion !== expectedVersion) throw new LinkOver();
    if (link.kind === 'repair' && readAccountHash(connection.accountKey) !== readAccountHash(accountKey))
      throw new OtherAccount();
    if (await mixesCompanies(connection, accountKey)) throw new OtherAccount();
    if (openRuns.length >= SYNC_LIMITS.openRunsPerConnectionMax) throw new LinkBusy();
    if (attempt === 1) await countSyncStart(link.organizationId);
    const status = statusAfterNewCredentials(connection.status);
    const change = { status, credentials: { ciphertext, expectedVersion, accountKey } };
    const run = firstRun(connection, runId);
    await replaceCredentials({ link, visit }, { connection, change, run }, cause);
    return run;
  });
};

/**
 * Stores the credentials of a customer and starts the sync that tries them.
 *
 * @throws LinkOver, LinkBusy, OtherAccount, TooManyConnections, QuotaSpent
 * @throws VisitOver if the link or the session ended, or credentials were sent in the meantime
 * @throws ConnectionGone if the connection was deleted
 */
export const submitCredentials = async (session: LinkSession, sent: SentCredentials, cause: Cause): Promise<void> => {
  const { visit } = session;
  const verdict = await readVerdict(visit);
  const isOver = verdict === undefined || verdict.state === 'accepted';
  if (isOver || visit.submissions >= CONNECT_LINK_LIMITS.submissionsMax) throw new LinkOver();
  if (!takesCredentials(verdict)) throw new LinkBusy();
  const run =
    visit.connectionId === null
      ? await createFromLink(session, sent, cause)
      : await repairFromLink(session, { ...sent, connectionId: visit.connectionId }, cause).catch(async (error) => {
          // Otherwise a stolen link could try which login a connection has.
          if (error instanceof OtherAccount && !(await countRefused(visit))) throw new LinkBusy();
          throw error;
        });
  await enqueueRun(run);
};
