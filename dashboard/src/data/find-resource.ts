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

/**
 * True if one list contains the rows of the whole organization. A page of such a scope needs no list of connections
 * first.
 */
export const isWhole = ({ path }: Resource): boolean => !path.includes('{');

/** True if rows are read by connection; false if they are read by the code of a tender. */
export const isByConnection = ({ path }: Resource): boolean => path.startsWith('/connections/');
