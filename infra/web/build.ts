/**
 * Builds the dashboard with Vite into `dist/dashboard`, as part of `npm run bundle`. Like a function, the dashboard is
 * built only if one of its input files changed, so that the second `npm start` is fast.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
export const WEB_BUILD_DIR = join(ROOT, 'dist/dashboard');
/**
 * Files that the build copies unchanged. If only the template is needed, these files are deployed instead of the built
 * page.
 */
export const WEB_PUBLIC_DIR = join(ROOT, 'dashboard/public');
const CONFIG = join(ROOT, 'dashboard/vite.config.ts');
/**
 * File with the hash of the last build's inputs. It is next to the build's folder, because every file in that folder is
 * served.
 */
const STAMP = join(ROOT, 'dist/dashboard-inputs.sha256');
/** Files whose change requires a new build; the lock file determines every package. */
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

/** Resolves to true if a build was necessary. @throws Vite's own error for code that does not build. */
export const buildDashboard = async (): Promise<boolean> => {
  // The inputs are hashed before the build. If a file changes during the build, the next start then builds again.
  const hash = hashOfInputs();
  if (isFresh(hash)) return false;
  // Vite is loaded only if a build is necessary, because loading Vite takes longer than the check.
  const { build } = await import('vite');
  // A caller may have set another `NODE_ENV`, but the page must be the production build.
  process.env.NODE_ENV = 'production';
  await build({ configFile: CONFIG, logLevel: 'error' });
  writeFileSync(STAMP, hash);
  return true;
};

if (import.meta.main) console.log((await buildDashboard()) ? 'built dist/dashboard' : 'dist/dashboard is up to date');
