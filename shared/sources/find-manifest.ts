/** Finds manifests by source code. */
import { MANIFESTS } from './manifests.gen.ts';
import type { SourceManifest } from './source.ts';

/** Codes of the sources that can be connected. */
export const ACTIVE_CODES = MANIFESTS.filter(({ isActive }) => isActive).map(({ code }) => code);

export const findManifest = (code: string): SourceManifest | undefined =>
  MANIFESTS.find((manifest) => manifest.code === code);

/**
 * Returns the manifest of a source that stored items name. Throws if the folder of the source was removed, which is our
 * mistake and not the caller's.
 */
export const requireManifest = (code: string): SourceManifest => {
  const manifest = findManifest(code);
  if (!manifest) throw new Error(`no source has the code ${code}`);
  return manifest;
};
