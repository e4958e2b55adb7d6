/** Content types of the page's files, for the local stack and for the files that a deploy copies into the bucket. */
import { extname } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

/** Returns the content type, or undefined for a path that is not a file of the page. */
export const findContentType = (path: string): string | undefined => TYPES[extname(path)];
