/** Ids for every path of the description. What an operation changes for good it gets made for itself. */
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import type { Operation } from './description.ts';
import { until } from './e2e-integrator.ts';
import type { Stage } from './e2e-stack.ts';
import { writeFile, writeRows, writeWholeTender } from './example-rows.ts';

export interface World {
  /** Id of the run whose webhook was first refused, then given up. */
  runId: string;
  paramsFor(operation: Operation): Promise<Record<string, string>>;
  /** Takes back what would act later: nothing may be sent to the address of an example. */
  undo(operation: Operation, body: unknown): Promise<void>;
}

const EVENT_TYPES = ['sync.succeeded', 'sync.partial', 'sync.failed'];

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

  // A delivery that failed: refused once, and its retry given up because the endpoint was disabled in between.
  const webhookId = await subscribe(api.file.inbox);
  const enable = (enabled: boolean) =>
    api.must(200, 'PATCH', `/webhooks/${webhookId}`, { as: 'session', body: { enabled } });
  await doors.failNext(1);
  const { id: runId } = await api.finished(connections.tax!, await start(connections.tax!));
  const statusOf = async (): Promise<string> => (await api.get(`/webhooks/${webhookId}/deliveries`))[0]?.status;
  await until('the refusal', async () => (await doors.webhookOf(runId)) && (await statusOf()) === 'pending');
  await enable(false);
  await until('the end of the delivery', async () => (await statusOf()) === 'failed', doors.jump);
  await enable(true);

  const idAt = async (path: string): Promise<string> => (await api.get(path))[0].id;
  const scopeAt = (path: string): ScopeDefinition | undefined =>
    SCOPES.find(({ resource }) => resource !== null && path.split('/').includes(resource));
  const connectionAt = (path: string): string => connections[scopeAt(path)?.source ?? 'tax']!;
  const firstOf = (path: string): Promise<string> =>
    idAt(`/connections/${connectionAt(path)}/${scopeAt(path)!.resource}`);

  /** By name of the parameter; `id` by the resource before it. */
  const given: Record<string, (path: string) => string | Promise<string>> = {
    'connections.id': connectionAt,
    'webhooks.id': () => webhookId,
    runId: () => runId,
    deliveryId: () => idAt(`/webhooks/${webhookId}/deliveries`),
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
    startSync: async () => ({ id: await connect('tax') }),
    setSchedule: async () => ({ id: await connect('tax') }),
    cancelSyncRun: async () => {
      const id = await connect('tax');
      return { id, runId: await start(id) };
    },
    deleteWebhook: async () => ({ id: await subscribe(api.file.inbox) }),
    rollWebhookSecret: async () => ({ id: await subscribe(api.file.inbox) }),
    updateWebhook: async () => ({ id: await subscribe(api.file.inbox) }),
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
    updateWebhook: ({ data }: { data: { id: string } }) => api.must(200, 'DELETE', `/webhooks/${data.id}`),
    startSync: ({ connection_id, sync_id }: { connection_id: string; sync_id: string }) =>
      api.must(200, 'POST', `/connections/${connection_id}/sync-runs/${sync_id}/cancel`),
  };

  return {
    runId,
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
        if (!find) throw new Error(`${operation}: nobody says what ${name} may be`);
        return [name, await find(path)];
      });
      return Object.fromEntries(await Promise.all(values));
    },
  };
};
