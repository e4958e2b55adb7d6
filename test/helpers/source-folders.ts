/** Every source that has an adapter and a simulated institution, found by its folder as the local runner does. */
import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import type { SandboxServer } from '#shared/sources/sandbox-kit/server.ts';
import type { SourceAdapter, SourceManifest } from '#shared/sources/source.ts';

export interface SourceFolder {
  code: string;
  manifest: SourceManifest;
  source: SourceAdapter;
  /** In the order of the manifest. */
  scopes: ScopeDefinition[];
  credentials: readonly SandboxCredential[];
  createSandbox(options: { now(): number; seed?: string; knobs?: object }): SandboxServer;
}

const SOURCES = join(import.meta.dirname, '..', '..', 'shared', 'sources');

const load = async <T>(folder: string, file: string): Promise<T> =>
  (await import(pathToFileURL(join(folder, file)).href)) as T;

/** `definitions`: all existing scopes, including those of a source that is not in the registry. */
export const loadSource = async (
  folder: string,
  definitions: readonly ScopeDefinition[] = SCOPES,
): Promise<SourceFolder> => {
  const code = basename(folder);
  const factory = `create${code.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Sandbox`;
  const [{ source }, { manifest }, server, { SANDBOX_CREDENTIALS: credentials }] = await Promise.all([
    load<Pick<SourceFolder, 'source'>>(folder, 'source.ts'),
    load<Pick<SourceFolder, 'manifest'>>(folder, 'manifest.ts'),
    load<Record<string, SourceFolder['createSandbox']>>(folder, 'sandbox/server.ts'),
    load<{ SANDBOX_CREDENTIALS: SourceFolder['credentials'] }>(folder, 'sandbox/credentials.ts'),
  ]);
  const createSandbox = server[factory];
  if (!createSandbox) throw new Error(`sandbox/server.ts of ${code} exports no ${factory}`);
  const scopes = manifest.scopes.map((name) => {
    const scope = definitions.find((definition) => definition.source === code && definition.name === name);
    if (!scope) throw new Error(`${code}.${name} has no definition`);
    return scope;
  });
  return { code, manifest, source, scopes, credentials, createSandbox };
};

/** `SOURCES=bankone,tax npx vitest run test/integration/sources` selects sources during development. */
const named = (process.env.SOURCES ?? '').split(',').filter(Boolean);

/** All sources, or those named. Sources under construction (not yet active) are left out. */
export const loadSources = async (codes: readonly string[] = named): Promise<SourceFolder[]> => {
  const folders = globSync('*/sandbox/server.ts', { cwd: SOURCES })
    .map((file) => join(SOURCES, dirname(dirname(file))))
    .filter((folder) => codes.length === 0 || codes.includes(basename(folder)))
    .filter((folder) => ['source.ts', 'sandbox/credentials.ts'].every((file) => existsSync(join(folder, file))));
  const loaded = await Promise.all(folders.sort().map((folder) => loadSource(folder)));
  return loaded.filter(({ manifest }) => manifest.isActive);
};
