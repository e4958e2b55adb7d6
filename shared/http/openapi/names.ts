/** What operations and components are called. */
import type { EndpointContract } from '#shared/http/contract.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';

/** `list-connections` → `listConnections`. */
export const camel = (kebab: string): string => kebab.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const pascal = (kebab: string): string => camel(`-${kebab}`);

export const operationId = ({ id }: Pick<EndpointContract, 'id'>): string => camel(id);

/** Rows of the scopes and bodies of the requests: their names follow from where they stand. */
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
