import type { Cause } from '#shared/audit/audit.rules.ts';
import { LinkBusy, LinkOver, OtherAccount, submitCredentials as submit } from '#shared/connect-links/connect.ts';
import { CHECKING } from '#shared/connect-links/verdict.rules.ts';
import { VisitOver } from '#shared/connect-links/visit.store.ts';
import { identifyAccount } from '#shared/connections/account-key.rules.ts';
import { ConnectionConflict, ConnectionGone } from '#shared/connections/connection.store.ts';
import { TooManyConnections } from '#shared/connections/count-connections.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { judgeConnectionInput } from '#shared/http/request/connection-input.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { refuseSpent } from '#shared/http/response/rate-limit.ts';
import { requireManifest } from '#shared/sources/find-manifest.ts';
import { linkEnded, requireSession, showSession } from '../link-session.ts';
import { contract } from './contract.ts';

const isOneOf = (error: unknown, classes: readonly (abstract new (...given: never[]) => Error)[]): boolean =>
  classes.some((each) => error instanceof each);

/** Returns the answer for credentials that were not stored. */
const refusal = (error: unknown): unknown => {
  if (isOneOf(error, [LinkBusy, VisitOver, ConnectionConflict]))
    return new ApiError('connect_link_busy', 'The institution is checking the credentials already.');
  if (isOneOf(error, [LinkOver, ConnectionGone, TooManyConnections])) return linkEnded();
  if (error instanceof OtherAccount)
    return new ApiError('connect_link_other_login', 'These credentials are of another login or company.');
  return refuseSpent(error, 'sync-starts', 'Too many syncs were started this minute.');
};

export const submitCredentials: Logic<typeof contract> = async ({ cookies, body, source, newId }) => {
  const session = await requireSession(cookies, body.session_id);
  const { link, visit } = session;
  const manifest = requireManifest(link.source);
  const { credentials = {} } = judgeConnectionInput(manifest, {
    credentials: body.credentials,
    metadata: link.metadata,
  });
  const accountKey = identifyAccount(manifest, link.organizationId, credentials);
  const cause: Cause = { author: { kind: 'connect_link', id: link.id }, source };
  try {
    await submit(session, { credentials, accountKey, connectionId: newId(), runId: newId() }, cause);
  } catch (error) {
    throw refusal(error);
  }
  const after = { link, visit: { ...visit, submissions: visit.submissions + 1 } };
  const shown = await showSession(after, CHECKING);
  return { status: 202, body: shown, headers: { 'cache-control': 'no-store' } };
};

export const handler = endpoint(contract, submitCredentials);
