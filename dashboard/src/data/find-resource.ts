/** Finds the description of a scope, and inserts ids into its paths. */
import type { Resource } from './resource.ts';
import { RESOURCES } from './resources.gen.ts';

export const findResource = (source: string, scope: string): Resource | undefined =>
  RESOURCES.find((resource) => resource.source === source && resource.scope === scope);

/**
 * Replaces the path's parameters by the values in order. For example, the path of a list below a row contains first the
 * connection's id and then the row's id.
 */
export const pathWith = (template: string, ...values: readonly string[]): string => {
  const rest = [...values];
  return `/api${template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? ''))}`;
};

/** True if the rows are read by the code of a tender, which the path contains behind the connection's id. */
export const isBelowTender = ({ path }: Resource): boolean => path.includes('{codigo}');
