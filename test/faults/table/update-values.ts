/** What each verb of an update makes of a value. */
import { validation } from './errors.ts';
import type { Item } from './values.ts';

/** Copies the object that holds the last name of the path, and all objects around it, into this item. */
export const ownParent = (item: Item, path: readonly string[]): Record<string, unknown> | undefined => {
  let parent: Record<string, unknown> = item;
  for (const name of path.slice(0, -1)) {
    const inner = parent[name];
    if (inner === null || typeof inner !== 'object') return undefined;
    parent[name] = Array.isArray(inner) ? [...inner] : { ...inner };
    parent = parent[name] as Record<string, unknown>;
  }
  return parent;
};

export const added = (before: unknown, by: unknown): unknown => {
  if (by instanceof Set) {
    if (before !== undefined && !(before instanceof Set)) throw validation('ADD of a set to something else');
    return new Set([...((before as Set<unknown> | undefined) ?? []), ...by]);
  }
  if (typeof by !== 'number' || (before !== undefined && typeof before !== 'number'))
    throw validation('ADD of no number');
  return ((before as number | undefined) ?? 0) + by;
};

/** A set that loses its last element disappears. */
export const taken = (before: unknown, by: unknown): unknown => {
  if (!(by instanceof Set) || (before !== undefined && !(before instanceof Set))) throw validation('DELETE of no set');
  if (before === undefined) return undefined;
  const left = new Set([...(before as Set<unknown>)].filter((element) => !by.has(element)));
  return left.size === 0 ? undefined : left;
};
