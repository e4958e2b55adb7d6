/** The dashboard at `/`, as CloudFront serves it: files of its build, and the page itself for every address of it. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, normalize, sep } from 'node:path';
import { contentTypeOf } from '#infra/web/content-types.ts';
import { CACHE, contentSecurityPolicy, PAGE_HEADERS } from '#infra/web/page-headers.ts';
import { signInConfig } from '#infra/web/sign-in-config.ts';

export const WEB_FOLDER = join(import.meta.dirname, '../../dist/dashboard');
const INDEX = 'index.html';
/** How one signs in: the page reads it before anything else. On AWS the stack writes it. */
const CONFIG = JSON.stringify(signInConfig({ signIn: null }));

const POLICY = contentSecurityPolicy([]);

/** The API's own, and what only this machine has: none of them is a page. */
const OTHERS = /^\/(?:api|docs|session|_local)(?:\/|$)/;

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

const send = (request: IncomingMessage, response: ServerResponse, type: string, cache: string, body: Buffer): true => {
  response.writeHead(200, {
    'content-type': type,
    'content-length': body.length,
    'cache-control': cache,
    'content-security-policy': POLICY,
    ...PAGE_HEADERS,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
  return true;
};

export type WebPage = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;

/** Resolves to false for what is no page's: the API answers it. */
export const createWebPage =
  (folder: string): WebPage =>
  async (request, response, path) => {
    if ((request.method !== 'GET' && request.method !== 'HEAD') || OTHERS.test(path)) return false;
    if (path === '/config.json') return send(request, response, contentTypeOf(path)!, CACHE.page, Buffer.from(CONFIG));
    const type = contentTypeOf(path);
    if (type !== undefined) {
      const body = await contentOf(folder, path);
      const cache = path.startsWith('/assets/') ? CACHE.asset : CACHE.page;
      return body !== undefined && send(request, response, type, cache, body);
    }
    // An address of the page, opened in a browser; a script that asks for no page gets the API's 404.
    if (path !== '/' && !request.headers.accept?.includes('text/html')) return false;
    const page = await contentOf(folder, INDEX);
    return page !== undefined && send(request, response, contentTypeOf(INDEX)!, CACHE.page, page);
  };
