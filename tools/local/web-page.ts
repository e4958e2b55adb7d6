/** The dashboard at `/`, as CloudFront serves it: files of its build, and the page itself for every address of it. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, normalize, sep } from 'node:path';
import { stageNamed } from '#infra/stages.ts';
import { findContentType } from '#infra/web/content-types.ts';
import { CACHE, contentSecurityPolicy, PAGE_HEADERS } from '#infra/web/page-headers.ts';
import { issuerOrigins, signInConfig } from '#infra/web/sign-in-config.ts';

export const WEB_FOLDER = join(import.meta.dirname, '../../dist/dashboard');
const INDEX = 'index.html';
const SETTINGS = stageNamed('local');
/** How one signs in: the page reads it before anything else. On AWS the stack writes it. */
const CONFIG_PATH = '/config.json';
const CONFIG = Buffer.from(JSON.stringify(signInConfig(SETTINGS)));

const POLICY = contentSecurityPolicy(issuerOrigins(SETTINGS));

/** The API's own, and what only this machine has: none of them is a page. */
const OTHERS = /^\/(?:api|docs|session|_local|\.well-known|llms\.txt)(?:\/|$)/;

const contentOf = async (folder: string, path: string): Promise<Buffer | undefined> => {
  const file = normalize(join(folder, path));
  // `..` in any disguise; dot files are the bundler's own account.
  if (!file.startsWith(folder + sep) || /[\\/]\./.test(file.slice(folder.length))) return undefined;
  try {
    return await readFile(file);
  } catch {
    return undefined;
  }
};

/** The file that is served at a path; undefined for what is no page's. */
const fileAt = (path: string, accept = ''): string | undefined => {
  if (OTHERS.test(path)) return undefined;
  if (path === CONFIG_PATH || findContentType(path) !== undefined) return path;
  // An address of the page, opened in a browser; a script that asks for no page gets the API's 404.
  return path === '/' || accept.includes('text/html') ? INDEX : undefined;
};

export type ServePage = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;

/** Resolves to false for what is no page's: the API answers it. */
export const createWebPage =
  (folder: string): ServePage =>
  async ({ method, headers }, response, path) => {
    const file = method === 'GET' || method === 'HEAD' ? fileAt(path, headers.accept) : undefined;
    if (file === undefined) return false;
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
