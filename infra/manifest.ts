/**
 * Every deployable function, derived from the registries: one per endpoint, one per worker, and one variant of
 * `sync-scope` for each scope that can be synchronized. This is the only list of functions; the bundler, the stacks,
 * the local runner and the tests read it.
 */
import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { contract as emptyBucket } from '#functions/empty-bucket/contract.ts';
import { contract as publishDashboard } from '#functions/publish-dashboard/contract.ts';
import { contract as sandbox } from '#functions/sandbox/contract.ts';
import { type EndpointContract, fullPath } from '#shared/http/contract.ts';
import type { ProtocolContract, ProtocolRoute } from '#shared/http/protocol-contract.ts';
import type { WorkerContract } from '#shared/messaging/contract.ts';
import { QUEUES } from '#shared/messaging/queues.ts';
import { scopeQueue } from '#shared/platform/queue-names.ts';
import { scopeId } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { ENDPOINTS } from './endpoints.gen.ts';
import { ALL_SCOPES } from './names.ts';
import { PROTOCOL_ENDPOINTS } from './protocol-endpoints.gen.ts';
import { WORKERS } from './workers.gen.ts';

export interface Deployable {
  /** Names the asset folder, the construct and the event files; for an endpoint it is also the operation's id. */
  functionId: string;
  /** Handler file, relative to the repository. */
  entry: string;
  timeoutSeconds: number;
  memoryMb: number;
}

export interface EndpointFunction extends Deployable {
  kind: 'endpoint';
  contract: EndpointContract;
}

/** An endpoint that follows a standard. The API description does not contain it, and it may have several addresses. */
export interface ProtocolFunction extends Deployable {
  kind: 'protocol';
  contract: ProtocolContract;
}

export type RoutedFunction = EndpointFunction | ProtocolFunction;

interface QueueTrigger {
  /** A key of `QUEUES`, or a scope's queue. */
  queue: string;
  batchSize: number;
  /** Time for which Lambda collects messages for one invocation. Absent if it does not wait. */
  windowSeconds?: number;
}

interface WorkerFunction extends Deployable {
  kind: 'worker';
  contract: WorkerContract;
  trigger: QueueTrigger | { schedule: string };
  /**
   * The source whose adapter is in the bundle, and the scope that the variant synchronizes; null for workers other than
   * `sync-scope`.
   */
  variant: { source: string; scope: string } | null;
}

export type FunctionManifest = RoutedFunction | WorkerFunction;

/**
 * The HTTP API stops a request after 30 s. With a shorter timeout, the client gets our own error instead of the
 * gateway's 503, and we get a log line.
 */
const API_TIMEOUT_SECONDS = 29;
/** A function's CPU grows with its memory: with 256 MB, cold starts of a 300 kB bundle take about twice as long. */
const API_MEMORY_MB = 512;

/** Id of the function that answers every unknown path or method; it has no route of its own. */
export const NOT_FOUND_ID = 'not-found';

const ROOT = join(import.meta.dirname, '..');

/**
 * Operation id → folder of its contract. A contract does not contain the resource folder, so the path of the file
 * provides it.
 */
const endpointFolders = new Map(
  globSync('functions/api/*/*/contract.ts', { cwd: ROOT }).map((path) => [basename(dirname(path)), dirname(path)]),
);

export const sourceEntry = (source: string): string => `shared/sources/${source}/source.ts`;

const routedFunction = (id: string): Deployable => ({
  functionId: id,
  entry: `${endpointFolders.get(id) ?? `functions/api/?/${id}`}/handler.ts`,
  timeoutSeconds: API_TIMEOUT_SECONDS,
  memoryMb: API_MEMORY_MB,
});

const workerFunction = (
  contract: WorkerContract,
  functionId: string,
  trigger: WorkerFunction['trigger'],
  variant: WorkerFunction['variant'] = null,
): WorkerFunction => ({
  kind: 'worker',
  functionId,
  contract,
  entry: `functions/workers/${contract.id}/handler.ts`,
  timeoutSeconds: contract.timeoutSeconds,
  memoryMb: contract.memoryMb,
  trigger,
  variant,
});

/**
 * Scopes that can be synchronized: supported scopes of active sources for which a scope definition exists, in the order
 * of the manifests.
 */
const workedScopes = MANIFESTS.filter(({ isActive }) => isActive).flatMap(({ code, scopes }) =>
  scopes
    .filter((scope) => SCOPES.some(({ source, name }) => source === code && name === scope))
    .map((scope) => ({ source: code, scope })),
);

const workerFunctions = (contract: WorkerContract): WorkerFunction[] => {
  const { trigger } = contract;
  if ('schedule' in trigger) return [workerFunction(contract, contract.id, { schedule: trigger.schedule })];
  if (trigger.queue !== 'scope-queues') return [workerFunction(contract, contract.id, trigger)];
  return workedScopes.map((variant) => {
    const name = scopeQueue(variant.source, variant.scope);
    return workerFunction(contract, name, { ...trigger, queue: name }, variant);
  });
};

export const ENDPOINT_FUNCTIONS: readonly EndpointFunction[] = ENDPOINTS.map((contract) => ({
  kind: 'endpoint',
  contract,
  ...routedFunction(contract.id),
}));
export const PROTOCOL_FUNCTIONS: readonly ProtocolFunction[] = PROTOCOL_ENDPOINTS.map((contract) => ({
  kind: 'protocol',
  contract,
  ...routedFunction(contract.id),
}));
/** The only endpoint without a route, because it is the API's default. */
export const NOT_FOUND_FUNCTION: EndpointFunction = ENDPOINT_FUNCTIONS.find(
  ({ functionId }) => functionId === NOT_FOUND_ID,
)!;

/**
 * Tags of the endpoints that every integrator uses. Every other tag except `Applications` groups the endpoints for the
 * data of one source.
 */
const CONTROL_TAGS: ReadonlySet<string> = new Set([
  'API keys',
  'Audit',
  'Connections',
  'Coverage',
  'External sources',
  'Sync',
  'System',
  'Webhooks',
]);

/** Tags of the endpoints for applications, their permissions and connect links, which need the public origin. */
const TAGS_OF_AGENTS: ReadonlySet<string> = new Set(['Applications', 'Connect links']);

const routed = ENDPOINT_FUNCTIONS.filter((endpoint) => endpoint !== NOT_FOUND_FUNCTION);
const isControl = ({ contract: { tag } }: EndpointFunction): boolean => CONTROL_TAGS.has(tag);
const isOfAgents = ({ contract: { tag } }: EndpointFunction): boolean => TAGS_OF_AGENTS.has(tag);

/**
 * Endpoints by the stack that deploys them. Each endpoint needs six resources, and CloudFormation allows 500 resources
 * per stack.
 */
export const ENDPOINT_STACKS = {
  'api-control': routed.filter(isControl),
  'api-data': routed.filter((endpoint) => !isControl(endpoint) && !isOfAgents(endpoint)),
} as const satisfies Record<string, readonly EndpointFunction[]>;

/** Functions of the stack `agents`, which is deployed after the page. */
export const AGENT_FUNCTIONS: readonly RoutedFunction[] = [...PROTOCOL_FUNCTIONS, ...routed.filter(isOfAgents)];

interface ApiRoute {
  method: EndpointContract['method'] | ProtocolRoute['method'];
  path: string;
}

/** Returns the function's routes, each with its method and full path. */
export const listRoutes = ({ kind, contract }: RoutedFunction): readonly ApiRoute[] =>
  kind === 'protocol' ? contract.routes : [{ method: contract.method, path: fullPath(contract) }];

export const WORKER_FUNCTIONS: readonly WorkerFunction[] = WORKERS.flatMap(workerFunctions);
export const FUNCTIONS: readonly FunctionManifest[] = [
  ...ENDPOINT_FUNCTIONS,
  ...PROTOCOL_FUNCTIONS,
  ...WORKER_FUNCTIONS,
];

/** Returns `<source>.<scope>`, the engine's name of the scope, for the variable `SCOPE`. */
export const variantScope = ({ source, scope }: { source: string; scope: string }): string =>
  scopeId({ source, name: scope });

/** The simulated institutions, which are deployed only with `-c sandbox=true` (docs/adr/0009). */
export const SANDBOX_FUNCTION: Deployable = {
  functionId: sandbox.id,
  entry: `functions/${sandbox.id}/handler.ts`,
  timeoutSeconds: sandbox.timeoutSeconds,
  memoryMb: sandbox.memoryMb,
};

/**
 * Copies the dashboard's files. Only CloudFormation calls this function, while it deploys the dashboard's stack
 * (docs/adr/0011).
 */
export const PUBLISH_FUNCTION: Deployable = {
  functionId: publishDashboard.id,
  entry: `functions/${publishDashboard.id}/handler.ts`,
  timeoutSeconds: publishDashboard.timeoutSeconds,
  memoryMb: publishDashboard.memoryMb,
};

/**
 * Empties a bucket. Only CloudFormation calls this function, when it deletes the data of a stage that does not retain
 * its data (docs/adr/0024).
 */
export const EMPTY_FUNCTION: Deployable = {
  functionId: emptyBucket.id,
  entry: `functions/${emptyBucket.id}/handler.ts`,
  timeoutSeconds: emptyBucket.timeoutSeconds,
  memoryMb: emptyBucket.memoryMb,
};

/**
 * Functions that only some stages have. They are not functions of the service, because they answer no request of the
 * API.
 */
export const STACK_FUNCTIONS: readonly Deployable[] = [SANDBOX_FUNCTION, PUBLISH_FUNCTION, EMPTY_FUNCTION];

/**
 * Returns the names of the scopes' queues.
 * @param of a source's code; null for all sources
 */
export const listScopeQueues = (of: string | null): string[] =>
  workedScopes
    .filter(({ source }) => of === null || source === of)
    .map(({ source, scope }) => scopeQueue(source, scope));

export const SCOPE_QUEUES: readonly string[] = listScopeQueues(null);

/** Queues that have a dead-letter queue: each queue of `QUEUES` has its own, and all scopes share one. */
export const DEAD_LETTERS: readonly string[] = [...Object.keys(QUEUES), ALL_SCOPES];

/** Every queue with its worker. A queue must have a worker, because its messages would never be processed otherwise. */
export const QUEUE_CONSUMERS: readonly { queue: string; consumer: WorkerFunction }[] = [
  ...Object.keys(QUEUES),
  ...SCOPE_QUEUES,
].map((queue) => {
  const consumers = WORKER_FUNCTIONS.filter(({ trigger }) => 'queue' in trigger && trigger.queue === queue);
  const [consumer] = consumers;
  if (consumer === undefined || consumers.length > 1) {
    throw new Error(`queue ${queue} has ${consumers.length} workers, it needs exactly one`);
  }
  return { queue, consumer };
});

const repeated = FUNCTIONS.map(({ functionId }) => functionId).filter((id, at, all) => all.indexOf(id) !== at);
if (repeated.length > 0) throw new Error(`two functions have the same id: ${repeated.join(', ')}`);
