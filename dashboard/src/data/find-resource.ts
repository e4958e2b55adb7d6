/** Finds what is known of a scope, and puts ids into its paths. */
import type { Resource } from './resource.ts';
import { RESOURCES } from './resources.gen.ts';

export const findResource = (source: string, scope: string): Resource | undefined =>
  RESOURCES.find((resource) => resource.source === source && resource.scope === scope);

/** Values take the place of the path's parameters in their order: the path of a part names row and connection. */
export const pathWith = (template: string, ...values: readonly string[]): string => {
  const rest = [...values];
  return `/api${template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? ''))}`;
};

/** Does one list hold all rows of the organization, so that nothing is asked for first? */
export const isWhole = ({ path }: Resource): boolean => !path.includes('{');

/** Is it read by connection, or by the code of a tender? */
export const isByConnection = ({ path }: Resource): boolean => path.startsWith('/connections/');
