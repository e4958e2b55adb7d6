/** Handlers by operation, loaded from the folders as the bundler does. */
import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HttpHandler } from '#shared/http/endpoint.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const paths = new Map(
  globSync('functions/api/*/*/handler.ts', { cwd: ROOT }).map((path) => [basename(dirname(path)), join(ROOT, path)]),
);

export const handlerOf = async (operation: string): Promise<HttpHandler> => {
  const path = paths.get(operation);
  if (path === undefined) throw new Error(`no handler of ${operation}`);
  return ((await import(pathToFileURL(path).href)) as { handler: HttpHandler }).handler;
};
