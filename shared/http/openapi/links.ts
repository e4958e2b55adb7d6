/**
 * Links from an answer to other operations, derived from the paths: an operation is linked if the answer contains the
 * id that its path needs.
 */
import type { EndpointContract } from '#shared/http/contract.ts';
import type { SchemaJson } from './json-schema.ts';
import { operationId } from './names.ts';

const paramsOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

const lastOf = (path: string): string | undefined => paramsOf(path).at(-1);

const link = (target: EndpointContract, parameters: Record<string, string>): [string, SchemaJson] => [
  operationId(target),
  { operationId: operationId(target), description: target.summary, parameters },
];

/** Returns the contracts whose path extends `path` by exactly one parameter, directly after `path`. */
const itemsOf = (path: string, contracts: readonly EndpointContract[]): EndpointContract[] =>
  contracts.filter(
    (target) => target.path.startsWith(`${path}/{`) && paramsOf(target.path).length === paramsOf(path).length + 1,
  );

const propertyOf = (schema: SchemaJson | undefined, name: string): SchemaJson | undefined =>
  (schema?.properties as Record<string, SchemaJson> | undefined)?.[name];

/**
 * Returns the JSON pointer to the id in an answer, or undefined.
 * @param resolve follows references
 */
const idPointer = (body: SchemaJson, resolve: (schema: SchemaJson) => SchemaJson): string | undefined => {
  const whole = resolve(body);
  if (propertyOf(whole, 'id')) return '/id';
  const data = propertyOf(whole, 'data');
  if (!data) return undefined;
  // A list may be empty, so only answers that always contain an id are linked.
  return propertyOf(resolve(data), 'id') ? '/data/id' : undefined;
};

/** Returns the links to the operations of a run, for an answer that contains the ids of the run and its connection. */
const toRun = (body: SchemaJson, contracts: readonly EndpointContract[]): [string, SchemaJson][] => {
  if (!propertyOf(body, 'sync_id')) return [];
  return contracts
    .filter(({ path }) => path.startsWith(`/connections/{id}/sync-runs/{runId}`))
    .map((target) => link(target, { id: '$response.body#/connection_id', runId: '$response.body#/sync_id' }));
};

export const describeLinks = (
  contract: EndpointContract,
  body: SchemaJson,
  contracts: readonly EndpointContract[],
  resolve: (schema: SchemaJson) => SchemaJson,
): SchemaJson => {
  const pointer = idPointer(body, resolve);
  const isCollection = lastOf(contract.path) === undefined || !contract.path.endsWith('}');
  const items = pointer !== undefined && isCollection ? itemsOf(contract.path, contracts) : [];
  const kept = Object.fromEntries(paramsOf(contract.path).map((name) => [name, `$request.path.${name}`]));
  return Object.fromEntries([
    ...items.map((target) => link(target, { ...kept, [lastOf(target.path)!]: `$response.body#${pointer}` })),
    ...toRun(resolve(body), contracts),
  ]);
};
