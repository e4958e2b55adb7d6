/**
 * The state that a simulated institution stores for one credential, in the table of the stage's sandbox function
 * (docs/adr/0009). That table contains no data of any organization, and only this function may read it.
 */

import { gunzipSync, gzipSync } from 'node:zlib';
import { SANDBOX_LIMITS } from '#functions/sandbox/limits.ts';
import { nowSeconds } from '#shared/platform/clock.ts';
import { sandboxMemoryKey } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { VersionConflict } from '#shared/values/app-error.ts';

/** Another instance changed the state after this instance read it. */
export class MemoryConflict extends VersionConflict {}

interface Remembered {
  text: string;
  /** Version of the stored item; null when there is no item. */
  version: number | null;
}

export const NONE: Remembered = { text: '', version: null };

export const read = async (institution: string, owner: string): Promise<Remembered> => {
  const item = await table.get(sandboxMemoryKey(institution, owner));
  if (item === undefined) return NONE;
  const isOver = (item.expires_at_epoch as number) <= nowSeconds();
  return { text: isOver ? '' : gunzipSync(item.memory as Uint8Array).toString(), version: item.version as number };
};

/** @throws MemoryConflict when the item has changed since `before` was read. */
export const write = async (institution: string, owner: string, text: string, before: Remembered): Promise<void> => {
  const isAsBefore =
    before.version === null
      ? { if: 'attribute_not_exists(#pk)' }
      : { if: '#version = :before', values: { before: before.version } };
  await table.put(
    {
      ...sandboxMemoryKey(institution, owner),
      memory: gzipSync(text),
      version: (before.version ?? 0) + 1,
      expires_at_epoch: nowSeconds() + SANDBOX_LIMITS.sandboxMemoryDays * 86_400,
    },
    { ...isAsBefore, otherwise: () => new MemoryConflict() },
  );
};
