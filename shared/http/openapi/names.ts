/** Names of operations and components. */
import type { EndpointContract } from '#shared/http/contract.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';

/** Turns `list-connections` into `listConnections`. */
export const camel = (kebab: string): string => kebab.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const pascal = (kebab: string): string => camel(`-${kebab}`);

export const operationId = ({ id }: Pick<EndpointContract, 'id'>): string => camel(id);

/** Returns names for the rows of scopes and the bodies of requests, derived from the name of the scope or operation. */
export const componentNames = (
  contracts: readonly EndpointContract[],
  scopes: readonly ScopeDefinition[],
): Map<unknown, string> => {
  const names = new Map<unknown, string>();
  for (const { source, name, listRow, fullRow, childRows } of scopes) {
    const scope = pascal(`${source}-${name}`);
    names.set(listRow, `${scope}Row`);
    if (fullRow && fullRow !== listRow) names.set(fullRow, `${scope}Document`);
    if (childRows) names.set(childRows.listRow, `${scope}${pascal(childRows.field)}Row`);
  }
  for (const { id, body } of contracts) if (body) names.set(body, `${pascal(id)}Request`);
  return names;
};
