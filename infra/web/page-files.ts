/** The files that a deployment copies into the dashboard's bucket, in order, and their cache headers. */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findContentType } from './content-types.ts';
import { CACHE } from './page-headers.ts';

export interface FileOfPage {
  /** Path on this machine. */
  path: string;
  /** Path on the site. */
  key: string;
  contentType: string;
}

interface PartOfPage {
  cacheControl: string;
  files: FileOfPage[];
}

/**
 * Matches files with a hash in their name. A change of the content changes the name, so browsers may cache these files.
 */
const ASSET = /^assets\//;
/** Matches dot files, which contain only the bundler's own metadata. */
const HIDDEN = /(?:^|\/)\./;

/**
 * Returns the assets and the page, in the order in which they are copied: the page must never reference a missing
 * asset.
 * @throws Error for a file whose extension has no content type.
 */
export const partsOfPage = (folder: string): [assets: PartOfPage, page: PartOfPage] => {
  const keys = globSync('**/*', { cwd: folder }).filter(
    (key) => !HIDDEN.test(key) && statSync(join(folder, key)).isFile(),
  );
  const files = keys.sort().map((key): FileOfPage => {
    const contentType = findContentType(key);
    if (contentType === undefined) throw new Error(`${key}: infra/web/content-types.ts has no content type for it`);
    return { path: join(folder, key), key, contentType };
  });
  return [
    { cacheControl: CACHE.asset, files: files.filter(({ key }) => ASSET.test(key)) },
    { cacheControl: CACHE.page, files: files.filter(({ key }) => !ASSET.test(key)) },
  ];
};
