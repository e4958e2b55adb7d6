/** Finds every codec of a stored item in the file that declares it, so that a new codec needs no registration. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ItemCodec } from '#shared/table/item.ts';

const ROOT = join(import.meta.dirname, '../..');
const DECLARED = /= item\(/g;

const isCodec = (value: unknown): value is ItemCodec<unknown> =>
  typeof value === 'object' && value !== null && 'fromItem' in value && 'form' in value;

/**
 * Resolves with the codecs, sorted by entity.
 * @throws Error for a codec that is not exported, because it could not be compared
 */
export const findCodecs = async (): Promise<ItemCodec<unknown>[]> => {
  const codecs: ItemCodec<unknown>[] = [];
  let declared = 0;
  for (const path of globSync('shared/**/*.ts', { cwd: ROOT }).sort()) {
    const found = readFileSync(join(ROOT, path), 'utf8').match(DECLARED)?.length ?? 0;
    if (found === 0) continue;
    declared += found;
    codecs.push(...Object.values(await import(/* @vite-ignore */ join(ROOT, path))).filter(isCodec));
  }
  if (codecs.length !== declared) throw new Error(`${declared} codecs are declared, ${codecs.length} exported`);
  return codecs.sort((a, b) => (a.entity < b.entity ? -1 : 1));
};
