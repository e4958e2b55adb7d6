/** Ids for every path of the description. If an operation changes a resource for good, it gets a new one. */

import { createAccessToken } from '#shared/agents/operator-grant.ts';
import { AUTHORIZATION_QUERY } from '#shared/http/views/grant.ts';
import { nowMs } from '#shared/platform/clock.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/tax/sandbox/credentials.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import type { Operation } from './description.ts';
import { until } from './e2e-integrator.ts';
import type { Stage } from './e2e-stack.ts';
import { writeFile, writeRows, writeWholeTender } from './example-rows.ts';

export interface World {
  /** Id of a finished run for which a webhook of this type is sent. */
  runThatEnds(type: string): Promise<string>;
  paramsFor(operation: Operation): Promise<Record<string, string>>;
  /** Undefined if the example can be sent unchanged. */
  bodyFor(operation: Operation): Promise<unknown>;
  /** Undoes what would act later: nothing may be sent to the address of an example. */
  undo(operation: Operation, body: unknown): Promise<void>;
  /** Id of a connection of a source. */
  connectionTo(source: string): string;
  /** Id of a connection that has no list at this path. */
  otherConnection(path: string): string;
  disableConnection(id: string): Promise<unknown>;
  enableWebhook(id: string, enabled: boolean): Promise<unknown>;
}

const EVENT_TYPES = ['sync.succeeded', 'sync.partial', 'sync.failed'];

/** Error → the beginning of the label of a login at the sandbox's tax authority that causes it. */
const LOGIN_FOR: Readonly<Record<string, string>> = {
  'sync.partial': 'malformed row',
  'sync.failed': 'wrong password',
};

const HOUR_MS = 3_600_000;

/** @returns id of the grant */
export const grantAccess = async (organizationId: OrganizationId): Promise<string> => {
  const expiresAt = new Date(nowMs() + HOUR_MS).toISOString();
  return (await createAccessToken(organizationId, { expiresAt })).id;
};

export const makeWorld = async (stage: Stage): Promise<World> => {
  const { api, doors } = stage;
  const { organization_id: organizationId, sandbox } = api.file;

  const connect = async (source: string): Promise<string> => {
    const { credentials, metadata } = sandbox[source]!;
    const enabled_scopes = SCOPES.filter((scope) => scope.source === source).map(({ name }) => name);
    const body = { external_source_code: source, name: source, enabled_scopes, credentials, metadata };
    return (await api.must(201, 'POST', '/connections', { as: 'session', body })).id;
  };
  const subscribe = async (url: string): Promise<string> => {
    const { id, secret } = await api.subscribe(url, EVENT_TYPES);
    stage.secrets.add(secret);
    return id;
  };
  const start = async (connectionId: string): Promise<string> => {
    const body = { scopes: ['rcv'], metadata: { periods: ['2026-10'] } };
    return (await api.must(202, 'POST', `/connections/${connectionId}/sync`, { body })).sync_id;
  };

  const connections: Record<string, string> = {};
  for (const source of new Set(SCOPES.map((scope) => scope.source))) {
    connections[source] = await connect(source);
    await writeRows(source, { organizationId, connectionId: connections[source] }, ['tax.rcv']);
  }
  const owner = { organizationId, connectionId: connections.procurement! };
  await writeWholeTender(owner, '1509-5-L114');

  // A failed delivery: refused once, and its retry given up because the endpoint was disabled in between.
  const webhookId = await subscribe(api.file.inbox);
  const enableWebhook = (id: string, enabled: boolean) =>
    api.must(200, 'PATCH', `/webhooks/${id}`, { as: 'session', body: { enabled } });
  await doors.failNext(1);
  const { id: runId } = await api.finished(connections.tax!, await start(connections.tax!));
  const statusOf = async (): Promise<string> => (await api.get(`/webhooks/${webhookId}/deliveries`))[0]?.status;
  await until('the refusal', async () => (await doors.webhookOf(runId)) && (await statusOf()) === 'pending');
  await enableWebhook(webhookId, false);
  await until('the end of the delivery', async () => (await statusOf()) === 'failed', doors.jump);
  await enableWebhook(webhookId, true);

  /** A failed delivery: the same one, after the resend of another example has ended. */
  const failedDelivery = async (): Promise<string> => {
    const deliveryId = await idAt(`/webhooks/${webhookId}/deliveries`);
    const find = async () => (await deliveries.find(organizationId, webhookId, deliveryId))!;
    await until('the end of the resend', async () => ['delivered', 'failed'].includes(await statusOf()));
    const delivery = await find();
    if (delivery.status === 'delivered')
      await deliveries.advance(delivery, { ...delivery, status: 'failed', generation: delivery.generation + 1 });
    return deliveryId;
  };

  const idAt = async (path: string): Promise<string> => (await api.get(path))[0].id;
  const scopeAt = (path: string): ScopeDefinition | undefined =>
    SCOPES.find(({ resource }) => resource !== null && path.split('/').includes(resource));
  const sourceAt = (path: string): string =>
    path.startsWith('/connections/{id}/licitaciones') ? 'procurement' : (scopeAt(path)?.source ?? 'tax');
  const connectionAt = (path: string): string => connections[sourceAt(path)]!;
  const firstOf = (path: string): Promise<string> =>
    idAt(`/connections/${connectionAt(path)}/${scopeAt(path)!.resource}`);

  /** By parameter name; `id` by the resource before it. */
  const makeLink = async (): Promise<{ id: string }> => {
    const asked = { kind: 'single', asked_by: 'Example', external_source_code: 'tax', enabled_scopes: ['rcv'] };
    return (await api.must(201, 'POST', '/connect-links', { as: 'session', body: asked })).data;
  };
  const given: Record<string, (path: string) => string | Promise<string>> = {
    'connections.id': connectionAt,
    'webhooks.id': () => webhookId,
    'connect-links.id': async () => (await makeLink()).id,
    scope: () => 'rcv',
    period: () => '2026-10',
    runId: () => runId,
    deliveryId: failedDelivery,
    documentId: firstOf,
    guideId: firstOf,
    nominaId: firstOf,
    codigo: () => '1509-5-L114',
    documentoId: async () => {
      const id = await idAt('/procurement/licitaciones/1509-5-L114/documentos');
      await writeFile(owner, id);
      return id;
    },
  };
  const own: Record<string, () => Promise<Record<string, string>>> = {
    deleteConnection: async () => ({ id: await connect('tax') }),
    listConnectLinks: async () => {
      await makeLink();
      return {};
    },
    startSync: async () => ({ id: await connect('tax') }),
    setSchedule: async () => ({ id: await connect('tax') }),
    cancelSyncRun: async () => {
      const id = await connect('tax');
      return { id, runId: await start(id) };
    },
    deleteWebhook: async () => ({ id: await subscribe(api.file.inbox) }),
    rollWebhookSecret: async () => ({ id: await subscribe(api.file.inbox) }),
    updateWebhook: async () => ({ id: await subscribe(api.file.inbox) }),
    revokeGrant: async () => ({ id: await grantAccess(organizationId) }),
    revokeApiKey: async () => {
      const { data } = await api.must(201, 'POST', '/api-keys', {
        as: 'session',
        body: { name: 'to revoke' },
        showsSecret: true,
      });
      stage.secrets.add(data.key);
      return { id: data.id };
    },
  };

  const undone: Record<string, (body: never) => Promise<unknown>> = {
    createWebhook: ({ data }: { data: { id: string } }) => api.must(200, 'DELETE', `/webhooks/${data.id}`),
    createConnectLink: ({ data }: { data: { id: string } }) =>
      api.must(200, 'DELETE', `/connect-links/${data.id}`, { as: 'session' }),
    updateWebhook: ({ data }: { data: { id: string } }) => api.must(200, 'DELETE', `/webhooks/${data.id}`),
    startSync: ({ connection_id, sync_id }: { connection_id: string; sync_id: string }) =>
      api.must(200, 'POST', `/connections/${connection_id}/sync-runs/${sync_id}/cancel`),
  };

  /** Two months, of which the older one has no row that could be malformed. */
  const runOf = async (label: string): Promise<string> => {
    const { credentials } = SANDBOX_CREDENTIALS.find((entry) => entry.label.startsWith(label))!;
    const month = santiagoPeriod(await doors.nowMs());
    const periods = [addMonths(month, -2), addMonths(month, -1)];
    await doors.knobs({ rut: credentials.rut, period: periods[0], documents: 0 });
    const id = await api.connect(credentials);
    return (await api.finished(id, await api.sync(id, periods), doors.jump)).id;
  };

  const reviewed = async (): Promise<unknown> => {
    const body = { query: AUTHORIZATION_QUERY };
    const { data } = await api.must(200, 'POST', '/oauth/reviews', { as: 'session', body });
    return { ...body, digest: data.digest, decision: 'deny' };
  };

  return {
    bodyFor: async ({ id }) => (id === 'decideAuthorization' ? reviewed() : undefined),
    runThatEnds: async (type) => (LOGIN_FOR[type] === undefined ? runId : runOf(LOGIN_FOR[type])),
    enableWebhook,
    connectionTo: (source) => connections[source]!,
    otherConnection: (path) => connections[sourceAt(path) === 'procurement' ? 'tax' : 'procurement']!,
    disableConnection: (id) =>
      api.must(200, 'PATCH', `/connections/${id}`, { as: 'session', body: { enabled: false } }),
    undo: async ({ id }, body) => {
      await undone[id]?.(body as never);
    },
    paramsFor: async ({ id: operation, path }) => {
      const made = own[operation];
      if (made) return made();
      const segments = path.split('/');
      const names = segments.flatMap((segment, at) =>
        segment.startsWith('{') ? [[segment.slice(1, -1), segments[at - 1]]] : [],
      ) as [string, string][];
      const values = names.map(async ([name, before]) => {
        const find = given[name] ?? given[`${before}.${name}`];
        if (!find) throw new Error(`${operation}: no example id for parameter ${name}`);
        return [name, await find(path)];
      });
      return Object.fromEntries(await Promise.all(values));
    },
  };
};
