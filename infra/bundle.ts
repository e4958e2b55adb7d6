/**
 * `npm run bundle`: every function as `dist/functions/<function id>/index.mjs`, outside synth (forty bundling
 * constructs took 12 s, one esbuild run takes less than one). One run for all, and one per source for `sync-scope`,
 * whose `#source` is another adapter in each. Nothing is built when nothing changed.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { FUNCTIONS, type FunctionManifest, sourceEntry } from './manifest.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const FUNCTIONS_DIR = join(DIST, 'functions');
/** What went into the last build, and esbuild's account of it: the budget test reads it. */
export const META_FILE = join(DIST, 'bundle-meta.json');
/** They decide what an import resolves to, or how it is built. */
const ALWAYS_INPUTS = ['package.json', 'package-lock.json', 'infra/bundle.ts'];

export interface FunctionBundle {
  bytes: number;
  /** Bytes in the bundle by input file. */
  inputs: Record<string, number>;
}

export interface BundleMeta {
  /** Function id → the entry and adapter it was built from. */
  plan: Record<string, string>;
  /** Path → SHA-256 of every file of ours that went in; packages are covered by the lock file. */
  inputs: Record<string, string>;
  functions: Record<string, FunctionBundle>;
}

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minify: true,
  // Names of errors reach the log.
  keepNames: true,
  treeShaking: true,
  sourcemap: false,
  legalComments: 'none',
  mainFields: ['module', 'main'],
  metafile: true,
  logLevel: 'silent',
  outExtension: { '.js': '.mjs' },
  // The SDK has CommonJS parts that call `require` for Node's own modules.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
} as const satisfies BuildOptions;

const sha256 = (path: string): string =>
  createHash('sha256')
    .update(readFileSync(join(ROOT, path)))
    .digest('hex');

const output = (functionId: string): string => join(FUNCTIONS_DIR, functionId, 'index.mjs');

const variantSource = (fn: FunctionManifest): string | null =>
  fn.kind === 'worker' && fn.variant !== null ? fn.variant.source : null;

const planOf = (functions: readonly FunctionManifest[]): Record<string, string> =>
  Object.fromEntries(
    functions.map((fn) => {
      const source = variantSource(fn);
      return [fn.functionId, source === null ? fn.entry : `${fn.entry} ${sourceEntry(source)}`];
    }),
  );

/** A contract whose handler is not written yet, a source without adapter. */
const refuseMissing = (functions: readonly FunctionManifest[]): void => {
  const missing = Object.entries(planOf(functions)).flatMap(([functionId, files]) =>
    files
      .split(' ')
      .flatMap((file) => (existsSync(join(ROOT, file)) ? [] : [`  ${functionId}: ${file} does not exist`])),
  );
  if (missing.length > 0) throw new Error(`cannot bundle ${missing.length} function(s):\n${missing.join('\n')}`);
};

const readMeta = (): BundleMeta | undefined => {
  try {
    return JSON.parse(readFileSync(META_FILE, 'utf8')) as BundleMeta;
  } catch {
    return undefined; // Never built, or cut off while writing: build.
  }
};

const isUnchanged = (meta: BundleMeta, plan: Record<string, string>): boolean =>
  JSON.stringify(meta.plan) === JSON.stringify(plan) &&
  Object.keys(plan).every((functionId) => existsSync(output(functionId))) &&
  Object.entries(meta.inputs).every(([path, hash]) => existsSync(join(ROOT, path)) && sha256(path) === hash);

const outputPath = (functionId: string): string => `dist/functions/${functionId}/index.mjs`;

interface Built {
  functions: Record<string, FunctionBundle>;
  inputs: string[];
}

/** Builds every entry; variants of one source are the same code and are built once and copied. */
const buildGroup = async (functions: readonly FunctionManifest[], source: string | null): Promise<Built> => {
  const [first] = functions;
  if (first === undefined) return { functions: {}, inputs: [] };
  const built = source === null ? functions : [first];
  const { metafile } = await build({
    ...OPTIONS,
    outdir: 'dist/functions',
    entryPoints: built.map(({ functionId, entry }) => ({ in: entry, out: `${functionId}/index` })),
    ...(source === null ? {} : { alias: { '#source': `./${sourceEntry(source)}` } }),
  });
  for (const { functionId } of functions.slice(built.length)) {
    mkdirSync(dirname(output(functionId)), { recursive: true });
    copyFileSync(output(first.functionId), output(functionId));
  }
  const sizes = functions.map(({ functionId }) => {
    const out = metafile.outputs[outputPath(source === null ? functionId : first.functionId)]!;
    const inputs = Object.entries(out.inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput]);
    return [functionId, { bytes: out.bytes, inputs: Object.fromEntries(inputs) }];
  });
  return { functions: Object.fromEntries(sizes), inputs: Object.keys(metafile.inputs) };
};

/**
 * Bundles `functions`, all by default, unless nothing changed since the last time.
 * @throws Error naming every handler or adapter that does not exist; esbuild's own error for code that does not build.
 */
export const bundle = async (functions = FUNCTIONS): Promise<{ meta: BundleMeta; isFresh: boolean }> => {
  refuseMissing(functions);
  const plan = planOf(functions);
  const known = readMeta();
  if (known !== undefined && isUnchanged(known, plan)) return { meta: known, isFresh: false };

  rmSync(META_FILE, { force: true });
  rmSync(FUNCTIONS_DIR, { recursive: true, force: true });
  const sources = new Set(functions.map(variantSource));
  const groups = await Promise.all(
    [...sources].map((source) =>
      buildGroup(
        functions.filter((fn) => variantSource(fn) === source),
        source,
      ),
    ),
  );
  const own = groups.flatMap(({ inputs }) => inputs).filter((path) => !path.startsWith('node_modules/'));
  const inputs = [...new Set([...ALWAYS_INPUTS, ...own])].sort();
  const meta: BundleMeta = {
    plan,
    inputs: Object.fromEntries(inputs.map((path) => [path, sha256(path)])),
    functions: Object.assign({}, ...groups.map((group) => group.functions)),
  };
  writeFileSync(META_FILE, JSON.stringify(meta));
  return { meta, isFresh: true };
};

const report = ({ meta, isFresh }: Awaited<ReturnType<typeof bundle>>): string => {
  const bytes = Object.values(meta.functions).map((fn) => fn.bytes);
  const kilobytes = (count: number) => `${Math.round(count / 1000)} kB`;
  const sizes = `${kilobytes(Math.min(...bytes))} to ${kilobytes(Math.max(...bytes))}`;
  return `${isFresh ? 'bundled' : 'unchanged'}: ${bytes.length} functions, ${sizes}`;
};

if (import.meta.main) {
  try {
    console.log(report(await bundle()));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
