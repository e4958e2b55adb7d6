/** The files that a deployment puts into the dashboard's bucket, in their order, and how browsers are to keep them. */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findContentType } from './content-types.ts';
import { CACHE } from './page-headers.ts';

export interface FileOfPage {
  /** On this machine. */
  path: string;
  /** On the site. */
  key: string;
  contentType: string;
}

interface PartOfPage {
  cacheControl: string;
  files: FileOfPage[];
}

/** What the page itself names, by hash: never another content under the same name. */
const ASSET = /^assets\//;
/** The bundler's own account of what it made. */
const HIDDEN = /(?:^|\/)\./;

/**
 * First what the page names, then the page: it must never name a file that is not there yet.
 * @throws Error for a file of a kind that no browser was told of before.
 */
export const partsOfPage = (folder: string): [assets: PartOfPage, page: PartOfPage] => {
  const keys = globSync('**/*', { cwd: folder }).filter(
    (key) => !HIDDEN.test(key) && statSync(join(folder, key)).isFile(),
  );
  const files = keys.sort().map((key): FileOfPage => {
    const contentType = findContentType(key);
    if (contentType === undefined) throw new Error(`${key}: infra/web/content-types.ts does not know what it is`);
    return { path: join(folder, key), key, contentType };
  });
  return [
    { cacheControl: CACHE.asset, files: files.filter(({ key }) => ASSET.test(key)) },
    { cacheControl: CACHE.page, files: files.filter(({ key }) => !ASSET.test(key)) },
  ];
};
