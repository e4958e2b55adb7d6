/** Finds the description of a scope, and puts ids into its paths. */
import type { Resource } from './resource.ts';
import { RESOURCES } from './resources.gen.ts';

export const findResource = (source: string, scope: string): Resource | undefined =>
  RESOURCES.find((resource) => resource.source === source && resource.scope === scope);

/** Values replace the path's parameters in order: the path of a part contains the connection and the row. */
export const pathWith = (template: string, ...values: readonly string[]): string => {
  const rest = [...values];
  return `/api${template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? ''))}`;
};

/** True if one list contains all rows of the organization, so that no other list is needed first. */
export const isWhole = ({ path }: Resource): boolean => !path.includes('{');

/** True if rows are read by connection, false if by the code of a tender. */
export const isByConnection = ({ path }: Resource): boolean => path.startsWith('/connections/');
