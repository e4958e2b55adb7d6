/**
 * `npm run bundle`: builds every function as `dist/functions/<function id>/index.mjs` before a synth. One esbuild run
 * builds all functions except `sync-scope`. Each source has its own run for `sync-scope`, whose `#source` is that
 * source's adapter. The dashboard is built at the same time (infra/web/build.ts). Functions and dashboard are built
 * only if they changed. `npm start` builds each function with the same code at its first call (tools/local/bundler.ts).
 */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { packedDescription, requiredHttp, withoutJsonSchemas } from './bundle-plugins.ts';
import { type Deployable, FUNCTIONS, type FunctionManifest, STACK_FUNCTIONS, sourceEntry } from './manifest.ts';
import { buildDashboard } from './web/build.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const FUNCTIONS_DIR = join(DIST, 'functions');
/** The inputs of the last build and esbuild's metadata; the test of the size budget reads this file. */
export const META_FILE = join(DIST, 'bundle-meta.json');
/**
 * Files that determine how imports are resolved or how functions are built; a change of such a file makes every bundle
 * stale.
 */
const ALWAYS_INPUTS = ['package.json', 'package-lock.json', 'infra/bundle.ts', 'infra/bundle-plugins.ts'];

interface FunctionBundle {
  /** Entry file; for a variant of `sync-scope`, entry file and adapter, separated by a space. */
  from: string;
  bytes: number;
  /** Input file → number of its bytes in the bundle. */
  inputs: Record<string, number>;
  /** Paths of our source files in the bundle. Packages are omitted, because the lock file determines their content. */
  sources: string[];
}

export interface BundleMeta {
  /** Path of a source file of ours in any bundle → SHA-256 of the file. */
  hashes: Record<string, string>;
  functions: Record<string, FunctionBundle>;
}

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minify: true,
  // Retains names, so that stack traces are readable without source maps; the names take 6 % of the size.
  keepNames: true,
  treeShaking: true,
  sourcemap: false,
  legalComments: 'none',
  mainFields: ['module', 'main'],
  metafile: true,
  logLevel: 'silent',
  outExtension: { '.js': '.mjs' },
  // CommonJS parts of packages call `require` for Node's own modules, but an ES module has no `require`.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
} as const satisfies BuildOptions;

/**
 * Replaces the SDK's search for credentials of a developer's machine (profiles, single sign-on, instance metadata).
 * That code is a sixth of an endpoint's bundle, and a function reads its credentials from its environment.
 */
const ALIAS = {
  '@aws-sdk/credential-provider-node': './shared/platform/function-credentials.ts',
  '@modelcontextprotocol/server/_shims': './shared/mcp/sdk-shims.ts',
};

const NOTHING: BundleMeta = { hashes: {}, functions: {} };

const hashOf = (path: string): string =>
  existsSync(join(ROOT, path))
    ? createHash('sha256')
        .update(readFileSync(join(ROOT, path)))
        .digest('hex')
    : '';

/**
 * Returns the time at which the file was last saved; Infinity for a file that was removed during the build, so that its
 * hash stays empty.
 */
const savedMs = (path: string): number =>
  statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;

const outputPath = (functionId: string): string => `dist/functions/${functionId}/index.mjs`;

export type Bundled = FunctionManifest | Deployable;

export const variantSource = (fn: Bundled): string | null =>
  'kind' in fn && fn.kind === 'worker' && fn.variant !== null ? fn.variant.source : null;

const filesOf = (fn: Bundled): string[] => {
  const source = variantSource(fn);
  return source === null ? [fn.entry] : [fn.entry, sourceEntry(source)];
};

/** Throws for a contract without a handler, and for a source without an adapter. */
const refuseMissing = (functions: readonly Bundled[]): void => {
  const missing = functions.flatMap((fn) =>
    filesOf(fn)
      .filter((file) => !existsSync(join(ROOT, file)))
      .map((file) => `  ${fn.functionId}: ${file} does not exist`),
  );
  if (missing.length > 0) throw new Error(`cannot bundle, files are missing:\n${missing.join('\n')}`);
};

/** Returns the entries of the last build that are still valid: functions whose files have not changed. */
const stillValid = (functions: readonly Bundled[]): BundleMeta => {
  if (!existsSync(META_FILE)) return NOTHING;
  const known = { ...NOTHING, ...(JSON.parse(readFileSync(META_FILE, 'utf8')) as Partial<BundleMeta>) };
  const same = new Set(Object.keys(known.hashes).filter((path) => hashOf(path) === known.hashes[path]));
  if (!ALWAYS_INPUTS.every((path) => same.has(path))) return NOTHING;
  const valid = functions.filter((fn) => {
    const last = known.functions[fn.functionId];
    return (
      last?.from === filesOf(fn).join(' ') &&
      last.sources.every((path) => same.has(path)) &&
      existsSync(join(ROOT, outputPath(fn.functionId)))
    );
  });
  return {
    hashes: known.hashes,
    functions: Object.fromEntries(valid.map(({ functionId }) => [functionId, known.functions[functionId]!])),
  };
};

/** Returns all of our files that `entry` imports, including files that tree shaking removed from the bundle. */
const sourcesOf = ({ inputs }: Metafile, entry: string): string[] => {
  const met = new Set([entry]);
  for (const path of met) for (const { path: next } of inputs[path]?.imports ?? []) if (next in inputs) met.add(next);
  return [...met].filter((path) => !path.includes('node_modules/')).sort();
};

/** Builds every function of the group. Variants of one source have the same code, so it is built once and copied. */
const buildGroup = async (functions: readonly Bundled[], source: string | null) => {
  const first = functions[0]!;
  const built = source === null ? functions : [first];
  const { metafile } = await build({
    ...OPTIONS,
    outdir: 'dist/functions',
    plugins: [packedDescription, withoutJsonSchemas, requiredHttp],
    entryPoints: built.map(({ functionId, entry }) => ({ in: entry, out: `${functionId}/index` })),
    alias: { ...ALIAS, ...(source === null ? {} : { '#source': `./${sourceEntry(source)}` }) },
  });
  for (const { functionId } of functions.slice(built.length)) {
    mkdirSync(join(FUNCTIONS_DIR, functionId), { recursive: true });
    copyFileSync(join(ROOT, outputPath(first.functionId)), join(ROOT, outputPath(functionId)));
  }
  return functions.map((fn): [string, FunctionBundle] => {
    const { bytes, inputs } = metafile.outputs[outputPath(source === null ? fn.functionId : first.functionId)]!;
    const kept = Object.entries(inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput]);
    const sources = sourcesOf(metafile, fn.entry);
    return [fn.functionId, { from: filesOf(fn).join(' '), bytes, inputs: Object.fromEntries(kept), sources }];
  });
};

const removeOthers = (functions: readonly Bundled[]): void => {
  const known = new Set(functions.map(({ functionId }) => functionId));
  for (const folder of existsSync(FUNCTIONS_DIR) ? readdirSync(FUNCTIONS_DIR) : []) {
    if (!known.has(folder)) rmSync(join(FUNCTIONS_DIR, folder), { recursive: true });
  }
};

/** Writes the whole file or nothing, because the next build trusts its content. */
const writeMeta = (meta: BundleMeta): void => {
  mkdirSync(DIST, { recursive: true });
  writeFileSync(`${META_FILE}.${process.pid}`, JSON.stringify(meta));
  renameSync(`${META_FILE}.${process.pid}`, META_FILE);
};

export interface Bundles {
  /** Ids of functions that have not changed since the last build. */
  valid: string[];
  stale: readonly Bundled[];
  /** Builds the given functions. @throws esbuild's own error for code that does not build */
  build(wanted: readonly Bundled[]): Promise<void>;
  /** Records the bundles that are valid now, for the next build. */
  save(): BundleMeta;
}

/**
 * Compares `functions` (default: all) with the last build.
 * @throws Error that names every missing handler or adapter
 */
export const openBundles = (functions: readonly Bundled[] = [...FUNCTIONS, ...STACK_FUNCTIONS]): Bundles => {
  refuseMissing(functions);
  const valid = stillValid(functions);
  const stale = functions.filter(({ functionId }) => !(functionId in valid.functions));
  const all = { ...valid.functions };
  const startedMs = Date.now();
  if (stale.length > 0) {
    writeMeta(valid);
    removeOthers(functions);
  }
  return {
    valid: Object.keys(valid.functions),
    stale,
    async build(wanted) {
      const groups = [...Map.groupBy(wanted, variantSource)];
      const built = await Promise.all(groups.map(([source, group]) => buildGroup(group, source)));
      Object.assign(all, Object.fromEntries(built.flat()));
    },
    save() {
      if (stale.length === 0) return valid;
      const files = new Set([...ALWAYS_INPUTS, ...Object.values(all).flatMap(({ sources }) => sources)]);
      // A file that was saved during the build may be bundled in its old version. Its hash stays empty, so that the
      // next build treats the file as changed.
      const hash = (path: string) => [path, savedMs(path) < startedMs ? hashOf(path) : ''];
      const meta = { hashes: Object.fromEntries([...files].sort().map(hash)), functions: all };
      writeMeta(meta);
      return meta;
    },
  };
};

/**
 * Bundles the functions of `functions` (default: all) that changed since the last build. @throws the errors of
 * `openBundles` and of its `build`
 */
export const bundle = async (functions?: readonly Bundled[]): Promise<{ meta: BundleMeta; built: string[] }> => {
  const bundles = openBundles(functions);
  if (bundles.stale.length > 0) await bundles.build(bundles.stale);
  return { meta: bundles.save(), built: bundles.stale.map(({ functionId }) => functionId) };
};

const report = ({ meta, built }: Awaited<ReturnType<typeof bundle>>): string => {
  const bytes = Object.values(meta.functions).map((fn) => fn.bytes);
  const kilobytes = (count: number) => `${Math.round(count / 1000)} kB`;
  return `bundled ${built.length} of ${bytes.length} functions, ${kilobytes(Math.min(...bytes))} to ${kilobytes(Math.max(...bytes))} each`;
};

if (import.meta.main) {
  try {
    const [functions] = await Promise.all([bundle(), buildDashboard()]);
    console.log(report(functions));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
