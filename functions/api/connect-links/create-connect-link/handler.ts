import { publicOrigin } from '#shared/agents/public-origin.ts';
import type { Cause } from '#shared/audit/audit.rules.ts';
import { newSecret, tokenHash } from '#shared/auth/token.store.ts';
import { TooManyOpenLinks } from '#shared/connect-links/count-open-links.store.ts';
import { CONNECT_LINK_LIMITS } from '#shared/connect-links/limits.ts';
import type { ConnectLink } from '#shared/connect-links/link.rules.ts';
import * as links from '#shared/connect-links/link.store.ts';
import { LINK_TOKEN_PREFIX } from '#shared/connect-links/link-token.ts';
import { LINK_SECRET_PREFIX } from '#shared/connect-links/signed-reference.rules.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { judgeConnectLink } from '#shared/http/request/connect-link-input.ts';
import { requireActive } from '#shared/http/request/connection-input.ts';
import { ApiError, invalidBody, notFound } from '#shared/http/response/errors.ts';
import { toConnectLink } from '#shared/http/views/connect-link.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { ACTIVE_CODES, findManifest, requireManifest } from '#shared/sources/find-manifest.ts';
import { ConflictError } from '#shared/values/conflicts.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { contract } from './contract.ts';

const repairedConnection = async (
  organizationId: OrganizationId,
  id: string | null | undefined,
): Promise<Connection | undefined> => {
  if (typeof id !== 'string') return undefined;
  const connection = await connections.find(organizationId, id.toLowerCase());
  if (!connection) throw notFound('connection_not_found');
  if (connection.status === 'disabled') throw new ConflictError('connection_disabled');
  // The next sync of an older connection stores its account.
  const { account = [] } = requireManifest(connection.source);
  if (account.length > 0 && connection.accountKey === undefined)
    throw invalidBody('connection_id must have been synchronized since its login is remembered: start a sync first');
  return connection;
};

const activeSource = ({ external_source_code: code }: { external_source_code?: string | null | undefined }) =>
  requireActive(findManifest(code ?? ''), ACTIVE_CODES);

const refusal = (error: unknown, id: string): unknown => {
  if (error instanceof TooManyOpenLinks)
    return new ApiError(
      'connect_link_limit_reached',
      `An organization may have at most ${CONNECT_LINK_LIMITS.openLinksPerOrganizationMax} open connect links. Cancel some.`,
    );
  if (error instanceof links.LinkExists)
    return new ApiError('idempotency_key_reused', `This Idempotency-Key was already used: it made connect link ${id}.`);
  return error;
};

const store = async (link: ConnectLink, cause: Cause): Promise<{ url: string; secret: string | null }> => {
  const token = `${LINK_TOKEN_PREFIX}${newSecret()}`;
  const secret = link.kind === 'standing' ? `${LINK_SECRET_PREFIX}${newSecret()}` : null;
  const encrypted =
    secret === null ? null : await encryptSecret(link.organizationId, secretResource.connectLink(link.id), secret);
  await links.create(link, { tokenSha256: tokenHash(token), secret: encrypted }, cause);
  return { url: `${publicOrigin()}/connect#${token}`, secret };
};

export const createConnectLink: Logic<typeof contract> = async ({ caller: { organizationId }, cause, body, newId }) => {
  const atMs = nowMs();
  const repaired = await repairedConnection(organizationId, body.kind === 'repair' ? body.connection_id : undefined);
  const link: ConnectLink = {
    ...judgeConnectLink(body, repaired ? { repaired } : { manifest: () => activeSource(body) }, atMs),
    id: newId(),
    organizationId,
    kind: body.kind,
    askedBy: body.asked_by,
    returnUrl: body.return_url ?? null,
    connectionsMade: 0,
    createdAt: new Date(atMs).toISOString(),
    createdBy: cause.author,
    cancelledAt: null,
    runId: null,
  };
  const shownOnce = await store(link, cause).catch((error: unknown) => {
    throw refusal(error, link.id);
  });
  return { status: 201, body: { data: { ...toConnectLink(link, false, atMs), ...shownOnce } } };
};

export const handler = endpoint(contract, createConnectLink);
