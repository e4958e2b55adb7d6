/**
 * The files that pages of `/docs` load: the renderer's files from its package, and a few files of our own. They are
 * compressed into one JSON file, because Node, the bundler and the test runner all import JSON in the same way.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const FOLDER = 'functions/api/system/get-docs-asset';
export const DOCS_ASSETS = `${FOLDER}/assets.gen.json`;

const ROOT = join(import.meta.dirname, '..');
const RENDERER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

const FILES = [
  { folder: RENDERER, file: 'swagger-ui-bundle.js', type: SCRIPT },
  { folder: RENDERER, file: 'swagger-ui.css', type: STYLE },
  // The licence requires that its text is distributed with the program.
  { folder: RENDERER, file: 'swagger-ui-bundle.js.LICENSE.txt', type: TEXT },
  { folder: RENDERER, file: 'LICENSE', type: TEXT },
  { folder: RENDERER, file: 'NOTICE', type: TEXT },
  { folder: join(ROOT, FOLDER), file: 'page.js', type: SCRIPT },
  { folder: join(ROOT, FOLDER), file: 'page.css', type: STYLE },
  { folder: join(ROOT, FOLDER), file: 'guide.css', type: STYLE },
];

/** Returns the bytes of every file as a browser receives them, without source maps. */
export const docsFiles = (): { file: string; type: string; bytes: Buffer }[] =>
  FILES.map(({ folder, file, type }) => {
    const text = readFileSync(join(folder, file), 'utf8').replaceAll(
      /\n?(?:\/\/#|\/\*#) sourceMappingURL=.*\s*$/g,
      '\n',
    );
    return { file, type, bytes: Buffer.from(text) };
  });

export const docsAssets = (): string => {
  const assets = docsFiles().map(({ file, type, bytes }) => ({
    file,
    type,
    etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    gzip: gzipSync(bytes, { level: 9 }).toString('base64'),
  }));
  return `${JSON.stringify(assets, null, 2)}\n`;
};
