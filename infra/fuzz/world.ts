/** What exists on the stack under test: connections with data, runs, endpoints; ids by the path that lists them. */

import { connect, synchronize } from '#infra/local/demo/steps.ts';
import type { StackFile } from '#infra/local/seed.ts';

/** Path of a list, parameters in braces, → ids it holds. */
export type World = Record<string, string[]>;

const IDS_MAX = 5;

interface Description {
  paths: Record<string, Record<string, unknown>>;
}

const idsAt = async (stack: StackFile, path: string): Promise<string[]> => {
  const answer = await fetch(`${stack.api}${path}`, { headers: { authorization: `Bearer ${stack.api_key}` } });
  if (!answer.ok) return [];
  const { data } = (await answer.json()) as { data?: unknown };
  return Array.isArray(data)
    ? data.flatMap(({ id }: { id?: string }) => (id === undefined ? [] : [id])).slice(0, IDS_MAX)
    : [];
};

/** Every way to fill the parameters of a list's path with ids that are known already. */
const filled = (path: string, world: World): string[] => {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [path];
  const prefix = path.split(`/{${name}}`)[0]!;
  return (world[prefix] ?? []).flatMap((id) => filled(path.replace(`{${name}}`, id), world));
};

/** Connects every source that has a sandbox, synchronizes it, and looks what there is. */
export const makeWorld = async (stack: StackFile): Promise<World> => {
  const { data: sources } = (await (await fetch(`${stack.api}/external-sources?is_active=true`)).json()) as {
    data: { code: string; supported_scopes: string[] }[];
  };
  for (const { code, supported_scopes } of sources.filter((source) => source.code in stack.sandbox)) {
    const id = await connect(stack, code, supported_scopes);
    await synchronize(stack, id, () => {});
  }
  const { paths } = (await (await fetch(`${stack.api}/openapi.json`)).json()) as Description;
  const world: World = {};
  // Shorter paths first: their ids are needed for the longer ones.
  for (const path of Object.keys(paths).sort((a, b) => a.length - b.length)) {
    if (path.endsWith('}') || !('get' in paths[path]!)) continue;
    const ids = await Promise.all(filled(path, world).map((each) => idsAt(stack, each)));
    world[path] = ids.flat().slice(0, IDS_MAX);
  }
  return Object.fromEntries(Object.entries(world).filter(([, ids]) => ids.length > 0));
};
