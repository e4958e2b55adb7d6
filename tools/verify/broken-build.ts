/** Makes a build that can be deployed but does not answer, because one of its functions throws when it is loaded. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLE_DIR } from '#infra/app.ts';

const BROKEN = 'list-external-sources';

/** Returns the folder with the bundles of the broken build. */
export const plantBrokenBuild = (folder: string): string => {
  const bundles = join(folder, 'broken');
  cpSync(BUNDLE_DIR, bundles, { recursive: true });
  writeFileSync(join(bundles, BROKEN, 'index.mjs'), "throw new Error('planted');\n");
  return bundles;
};
