/**
 * Starts one stack for all files of a project before the first of them, as a separate `npm start` process. After the
 * last file, no secret of any file may be in its data folder. With `E2E_GENERATION=2` it serves from a restored table.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { setup as build } from './e2e-build.ts';
import { betrayedOfAll } from './e2e-canaries.ts';
import { type ChildStack, startChild, temporaryFolder } from './e2e-child.ts';
import { type Filled, fillAndRestore, isRestoreAsked, requireStillRead } from './e2e-restored.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Data folder of the stack that files share. */
    sharedStack: string;
  }
}

/** File in the data folder with the reason why the stack did not start. */
export const NOT_STARTED = 'not-started.txt';

const end = async (dataFolder: string, { api, end: stop }: ChildStack, filled: Filled | undefined): Promise<void> => {
  if (filled) await requireStillRead(filled, api);
  // A sync writes its organization into the logs, which are then searched.
  const connectionId = await api.connect({ rut: '70000005-2', password: 'clave-de-prueba' });
  await api.finished(connectionId, await api.sync(connectionId, ['2026-10']));
  await stop();
  const found = betrayedOfAll(dataFolder, api);
  if (found.length > 0) throw new Error(`secrets were left in clear:\n${found.join('\n')}`);
};

export const setup = async ({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (process.env.STACK_FILE) return undefined;
  const isRestored = isRestoreAsked();
  await build();
  const filled = isRestored ? await fillAndRestore() : undefined;
  const dataFolder = temporaryFolder();
  provide('sharedStack', dataFolder);
  // Not awaited: the tests of other projects continue meanwhile.
  const starting = startChild(dataFolder).catch((error: Error) => {
    writeFileSync(join(dataFolder, NOT_STARTED), error.message);
  });
  return async () => {
    const stack = await starting;
    try {
      if (stack) await end(dataFolder, stack, filled);
    } finally {
      await stack?.kill();
      for (const folder of [dataFolder, ...(filled ? [filled.dataFolder] : [])])
        rmSync(folder, { recursive: true, force: true });
    }
  };
};
