/**
 * Stores webhook endpoints. The encrypted secret is in the item of its endpoint. Only the function that signs reads the
 * secret; lists never read it.
 */

import * as z from 'zod';
import type { Cause } from '#shared/audit/audit.rules.ts';
import * as audit from '#shared/audit/audit.store.ts';
import { secretResource as resources } from '#shared/platform/secret-resource.ts';
import { stillAsRead } from '#shared/table/expressions.ts';
import { bytes, item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { AppError, VersionConflict } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import * as concurrency from './concurrency.store.ts';
import { changedParts, type EndpointChange, type WebhookEndpoint, WebhookEndpointSchema } from './endpoint.rules.ts';

/** The organization has the maximum number of endpoints. */
export class WebhookLimitReached extends AppError {}
/** The endpoint exists: an earlier call wrote it, but its response was lost. */
export class WebhookExists extends AppError {}
/** The endpoint was deleted or never existed. */
export class WebhookGone extends AppError {}
/** The endpoint was changed or deleted since it was read. The caller reads it again and decides again. */
export class EndpointConflict extends VersionConflict {}

const EXISTS = 'attribute_exists(pk)';

/** All attributes except the secret. */
export const endpointItem = item('webhook endpoint', WebhookEndpointSchema);
export const endpointSecretItem = item('webhook secret', z.object({ secret: bytes() }));

/** The resource that the encrypted secret is bound to. The secret can be decrypted only for this endpoint. */
export const secretResource = resources.webhook;

/**
 * @throws WebhookLimitReached
 * @throws WebhookExists
 */
export const create = async (endpoint: WebhookEndpoint, secret: Uint8Array, cause: Cause): Promise<void> => {
  const { organizationId, id } = endpoint;
  await audit.commit(
    [
      {
        put: {
          ...keys.webhookEndpoint(organizationId, id),
          ...endpointItem.toItem(endpoint),
          ...endpointSecretItem.toItem({ secret }),
        },
        if: 'attribute_not_exists(pk)',
        otherwise: () => new WebhookExists(),
      },
      {
        update: keys.webhookCount(organizationId),
        add: { count: 1 },
        if: 'attribute_not_exists(#count) OR #count < :max',
        values: { max: WEBHOOK_LIMITS.webhookEndpointsMax },
        otherwise: () => new WebhookLimitReached(),
      },
    ],
    audit.newEvent({ organizationId, action: 'webhook.created', targetId: id }, cause),
  );
};

export const find = async (organizationId: OrganizationId, id: string): Promise<WebhookEndpoint | undefined> => {
  const found = await table.get(keys.webhookEndpoint(organizationId, id));
  return found && endpointItem.fromItem(found);
};

/** An endpoint with its present encrypted secret. */
export interface EndpointWithSecret {
  endpoint: WebhookEndpoint;
  secret: Uint8Array;
}

export const withSecret = (found: table.Item): EndpointWithSecret => ({
  endpoint: endpointItem.fromItem(found),
  ...endpointSecretItem.fromItem(found),
});

export const findWithSecret = async (
  organizationId: OrganizationId,
  id: string,
): Promise<EndpointWithSecret | undefined> => {
  const found = await table.get(keys.webhookEndpoint(organizationId, id));
  return found && withSecret(found);
};

/** Returns all endpoints of the organization, newest creation first. */
export const list = async (organizationId: OrganizationId): Promise<WebhookEndpoint[]> => {
  const { pk, prefix } = keys.webhookEndpoints(organizationId);
  const items = await table.query(pk, { prefix, attributes: endpointItem.attributes });
  const order = ({ createdAt, id }: WebhookEndpoint) => `${createdAt}#${id}`;
  return items.map(endpointItem.fromItem).sort((a, b) => (order(a) < order(b) ? 1 : -1));
};

/** True if workers with an older copy must read the endpoint again after this change. */
const isNewRevision = (change: EndpointChange): boolean => change.url !== undefined || change.enabled !== undefined;

/** Returns the new revision for the endpoint's slots, or undefined if the change needs no new revision. */
export const revisionAfter = ({ revision }: WebhookEndpoint, change: EndpointChange): number | undefined =>
  isNewRevision(change) ? revision + 1 : undefined;

/**
 * Returns the item of a change for a transaction, conditional on the endpoint that was read. The same transaction also
 * writes a new revision to the slots.
 *
 * @throws EndpointConflict
 */
export const changeItem = (endpoint: WebhookEndpoint, change: EndpointChange): table.TransactItem => {
  const { organizationId, id, revision, failuresInRow, eventTypes } = endpoint;
  // A change of the event types is no new revision, so another one is noticed by the types themselves.
  const types = change.eventTypes && { eventTypes };
  const asRead = stillAsRead(endpointItem.toChanges({ revision, failuresInRow, ...types }));
  return {
    update: keys.webhookEndpoint(organizationId, id),
    set: endpointItem.toChanges(change),
    add: { revision: isNewRevision(change) ? 1 : 0 },
    if: `${EXISTS} AND ${asRead.if}`,
    values: asRead.values,
    otherwise: () => new EndpointConflict(),
  };
};

/**
 * Stamps a success by a plain write, for an endpoint without failures to reset. Does nothing if the endpoint was
 * deleted or has the same or a later stamp, so that a repeated or late request does not set the stamp back.
 * @param at ISO 8601 UTC with milliseconds
 */
export const stampSuccess = async ({ organizationId, id }: WebhookEndpoint, at: string): Promise<void> => {
  try {
    await table.update(keys.webhookEndpoint(organizationId, id), {
      set: endpointItem.toChanges({ lastSuccessAt: at }),
      if: `${EXISTS} AND (#last_success_at = :never OR #last_success_at < :at)`,
      values: { never: null, at },
      otherwise: () => new EndpointConflict(),
    });
  } catch (error) {
    if (!(error instanceof EndpointConflict)) throw error;
  }
};

/**
 * Returns the condition that the endpoint is still enabled, for a transaction.
 *
 * @throws EndpointConflict
 */
export const stillEnabled = ({ organizationId, id }: WebhookEndpoint): table.TransactItem => ({
  check: keys.webhookEndpoint(organizationId, id),
  if: '#enabled = :yes',
  values: { yes: true },
  otherwise: () => new EndpointConflict(),
});

/** @throws EndpointConflict */
export const change = async (endpoint: WebhookEndpoint, changes: EndpointChange, cause: Cause): Promise<void> => {
  const { organizationId, id: targetId } = endpoint;
  const revision = revisionAfter(endpoint, changes);
  const also = revision === undefined ? [] : [concurrency.told(endpoint, revision)];
  await audit.commit(
    [changeItem(endpoint, changes), ...also],
    audit.newEvent({ organizationId, action: 'webhook.updated', targetId, changed: changedParts(changes) }, cause),
  );
};

/** @throws EndpointConflict */
const replaceSecretOf = async (
  endpoint: WebhookEndpoint,
  secret: Uint8Array,
  cause: Cause,
): Promise<WebhookEndpoint> => {
  const { organizationId, id, revision } = endpoint;
  const replaced = {
    update: keys.webhookEndpoint(organizationId, id),
    set: endpointSecretItem.toItem({ secret }),
    add: { revision: 1 },
    if: '#revision = :revision',
    values: { revision },
    otherwise: () => new EndpointConflict(),
  };
  await audit.commit(
    [replaced, concurrency.told(endpoint, revision + 1)],
    audit.newEvent({ organizationId, action: 'webhook.secret_rolled', targetId: id }, cause),
  );
  return { ...endpoint, revision: revision + 1 };
};

/**
 * Replaces the secret. The previous secret is invalid at once.
 *
 * @throws WebhookGone
 */
export const replaceSecret = async (
  organizationId: OrganizationId,
  id: string,
  secret: Uint8Array,
  cause: Cause,
): Promise<WebhookEndpoint> =>
  retryOnConflict([EndpointConflict], WEBHOOK_LIMITS.webhookChangeAttemptsMax, async () => {
    const endpoint = await find(organizationId, id);
    if (!endpoint) throw new WebhookGone();
    return replaceSecretOf(endpoint, secret, cause);
  });

/**
 * Deletes the endpoint. Its deliveries stay until their retention ends.
 *
 * @throws WebhookGone
 */
export const remove = async (organizationId: OrganizationId, id: string, cause: Cause): Promise<void> =>
  audit.commit(
    [
      { remove: keys.webhookEndpoint(organizationId, id), if: EXISTS, otherwise: () => new WebhookGone() },
      { update: keys.webhookCount(organizationId), add: { count: -1 } },
      concurrency.toldDeleted({ organizationId, id }),
    ],
    audit.newEvent({ organizationId, action: 'webhook.deleted', targetId: id }, cause),
  );
