/**
 * The dashboard as files, `dist/dashboard`, by Vite. Part of `npm run bundle`, and like the functions built only when
 * something it is made of changed: the second `npm start` must be quick.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
export const WEB_BUILD_DIR = join(ROOT, 'dist/dashboard');
/** Files that go into the build as they are: they stand for all of it where only the template matters. */
export const WEB_PUBLIC_DIR = join(ROOT, 'dashboard/public');
const CONFIG = join(ROOT, 'dashboard/vite.config.ts');
/** Beside the build, not in it: whatever is in it is served. */
const STAMP = join(ROOT, 'dist/dashboard-inputs.sha256');
/** The lock file decides what every package is. */
const INPUTS = ['dashboard/{src,public}/**/*', 'dashboard/{index.html,package.json,tsconfig.json,vite.config.ts}'];
const ALWAYS_INPUTS = ['package-lock.json', 'infra/web/build.ts'];

const hashOfInputs = (): string => {
  const hash = createHash('sha256');
  const files = globSync(INPUTS, { cwd: ROOT }).filter((path) => statSync(join(ROOT, path)).isFile());
  for (const path of [...files, ...ALWAYS_INPUTS].sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  }
  return hash.digest('hex');
};

const isFresh = (hash: string): boolean =>
  existsSync(join(WEB_BUILD_DIR, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash;

/** Resolves to whether anything had to be built. @throws Vite's own error for code that does not build. */
export const buildDashboard = async (): Promise<boolean> => {
  // Hashed before the build: a file that changes meanwhile makes the next one build again.
  const hash = hashOfInputs();
  if (isFresh(hash)) return false;
  // Loaded only when needed: it takes longer than looking.
  const { build } = await import('vite');
  // Whoever starts us may be a test or a developer: the page is what people get.
  process.env.NODE_ENV = 'production';
  await build({ configFile: CONFIG, logLevel: 'error' });
  writeFileSync(STAMP, hash);
  return true;
};

if (import.meta.main) console.log((await buildDashboard()) ? 'built dist/dashboard' : 'dist/dashboard is up to date');
