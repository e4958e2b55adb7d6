/** Loads a source by its code: the real adapter, its scopes and, for a recording, its simulated institution. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { INSTITUTIONS } from '#functions/sandbox/institutions.gen.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import type { SourceAdapter } from '#shared/sources/source.ts';

const ROOT = join(import.meta.dirname, '../..');

export const SOURCE_CODES: readonly string[] = MANIFESTS.filter(({ isActive }) => isActive).map(({ code }) => code);

/** Folder of the expectations and of the reports that operators committed. */
export const WIRE_FOLDER = join(ROOT, 'docs/wire');

export const expectationFile = (source: string): string => join(WIRE_FOLDER, 'shapes', `${source}.json`);

const load = async (source: string, file: string): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(join(ROOT, 'shared/sources', source, file)).href)) as Record<string, unknown>;

export const loadAdapter = async (source: string): Promise<SourceAdapter> =>
  (await load(source, 'source.ts')).source as SourceAdapter;

export const listScopes = (source: string): ScopeDefinition[] => SCOPES.filter((scope) => scope.source === source);

export interface Sandbox {
  credentials: readonly SandboxCredential[];
  create: (typeof INSTITUTIONS)[string];
}

export const loadSandbox = async (source: string): Promise<Sandbox> => {
  const { SANDBOX_CREDENTIALS } = await load(source, 'sandbox/credentials.ts');
  const create = INSTITUTIONS[source];
  if (!create) throw new Error(`${source} has no simulated institution`);
  return { credentials: SANDBOX_CREDENTIALS as Sandbox['credentials'], create };
};
