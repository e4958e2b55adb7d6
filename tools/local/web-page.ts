/**
 * Serves the dashboard at `/`, as CloudFront does: the files of its build, and the page itself for every address of the
 * dashboard.
 */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, normalize, sep } from 'node:path';
import { stageNamed } from '#infra/stages.ts';
import { findContentType } from '#infra/web/content-types.ts';
import { CACHE, contentSecurityPolicy, PAGE_HEADERS } from '#infra/web/page-headers.ts';
import { issuerOrigins, signInConfig } from '#infra/web/sign-in-config.ts';
import { AGENT_PATHS } from '#shared/agents/addresses.ts';

export const WEB_FOLDER = join(import.meta.dirname, '../../dist/dashboard');
const INDEX = 'index.html';
const SETTINGS = stageNamed('local');
/** Path of the sign-in settings, which the page reads first. On AWS the deployment writes this file. */
const CONFIG_PATH = '/config.json';
const CONFIG = Buffer.from(JSON.stringify(signInConfig(SETTINGS)));

const POLICY = contentSecurityPolicy(issuerOrigins(SETTINGS));

/** Matches paths that the dashboard does not serve, because they belong to the API or to tools of this machine. */
const OTHERS = /^\/(?:api|docs|session|_local|\.well-known|llms\.txt)(?:\/|$)/;

const contentOf = async (folder: string, path: string): Promise<Buffer | undefined> => {
  const file = normalize(join(folder, path));
  // Rejects `..` in any encoding, and dot files, which only the bundler uses.
  if (!file.startsWith(folder + sep) || /[\\/]\./.test(file.slice(folder.length))) return undefined;
  try {
    return await readFile(file);
  } catch {
    return undefined;
  }
};

/** Returns the file for a path; undefined for a path that does not belong to the dashboard. */
const fileAt = (path: string, accept = ''): string | undefined => {
  if (OTHERS.test(path)) return undefined;
  if (path === CONFIG_PATH || findContentType(path) !== undefined) return path;
  // A browser gets the page for every address of the dashboard. A script, which does not accept HTML, gets the API's
  // 404 instead; FastMCP looks at the authorization address before it sends a person there.
  return path === '/' || path === AGENT_PATHS.authorize || accept.includes('text/html') ? INDEX : undefined;
};

export type ServePage = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;

/**
 * Returns a function that serves a request of the dashboard. It resolves to false for a path that the API must answer.
 * @param prepare resolves when the folder contains the page
 */
export const createWebPage =
  (folder: string, prepare?: () => Promise<void>): ServePage =>
  async ({ method, headers }, response, path) => {
    const file = method === 'GET' || method === 'HEAD' ? fileAt(path, headers.accept) : undefined;
    if (file === undefined) return false;
    if (file !== CONFIG_PATH) await prepare?.();
    const body = file === CONFIG_PATH ? CONFIG : await contentOf(folder, file);
    if (body === undefined) return false;
    response.writeHead(200, {
      'content-type': findContentType(file)!,
      'content-length': body.length,
      'cache-control': file.startsWith('/assets/') ? CACHE.asset : CACHE.page,
      'content-security-policy': POLICY,
      ...PAGE_HEADERS,
    });
    response.end(method === 'HEAD' ? undefined : body);
    return true;
  };
