/** What a browser loads before it can show anything. `npm run bundle` makes the build, and `npm test` runs it first. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { WEB_BUILD_DIR } from '#infra/web/build.ts';

/** From issue 8. */
const INITIAL_GZIP_BYTES_MAX = 250 * 1024;

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}

const read = (path: string): Buffer => readFileSync(join(WEB_BUILD_DIR, path));
const manifest = JSON.parse(read('.vite/manifest.json').toString()) as Record<string, Chunk>;

/** The entry and all modules that it imports before it runs. */
const initialFiles = (): string[] => {
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry)!;
  const met = new Set([entry]);
  for (const key of met) for (const next of manifest[key]?.imports ?? []) met.add(next);
  return [...met].map((key) => manifest[key]!.file);
};

it('the first JavaScript stays within its budget', () => {
  const files = initialFiles();
  expect(files.length).toBeGreaterThan(0);
  const bytes = files.reduce((sum, file) => sum + gzipSync(read(file)).length, 0);
  expect(bytes).toBeLessThanOrEqual(INITIAL_GZIP_BYTES_MAX);
  // Pages and the form library are loaded when they are opened.
  expect(Object.keys(manifest).filter((key) => key.endsWith('-page.tsx')).length).toBeGreaterThan(5);
  expect(files.some((file) => file.includes('-page'))).toBe(false);
});

it('the page itself has no inline script or style, which its policy would refuse', () => {
  const page = read('index.html').toString();
  expect(page).toMatch(/<script type="module"[^>]* src="\/assets\//);
  expect(page).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=/);
});
