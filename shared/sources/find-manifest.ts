/** Manifests by code. */
import { MANIFESTS } from './manifests.gen.ts';
import type { SourceManifest } from './source.ts';

export const findManifest = (code: string): SourceManifest | undefined =>
  MANIFESTS.find((manifest) => manifest.code === code);

/**
 * Manifest of a source that stored items name. Throws if its folder was removed: that is our mistake, not the caller's.
 */
export const requireManifest = (code: string): SourceManifest => {
  const manifest = findManifest(code);
  if (!manifest) throw new Error(`no source has the code ${code}`);
  return manifest;
};
