/** docs/data-model.md describes every key that `keys.ts` builds, and no other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keys as tableKeys } from '#shared/table/keys.ts';
import { linkKeys } from '#shared/table/link-keys.ts';
import { listedKeys } from '#shared/table/listed-keys.ts';

const keys = { ...tableKeys, ...linkKeys, ...listedKeys };

const page = readFileSync(join(import.meta.dirname, '../../../docs/data-model.md'), 'utf8');
const told = new Set([...page.matchAll(/^\| `(\w+)`/gm)].map((match) => match[1]));

/** Builders of single items; `rows` and `index` build partitions. */
const built = Object.entries(keys)
  .filter(([, make]) => typeof make === 'function')
  .filter(([, make]) => {
    const made = (make as (...names: (string | number)[]) => unknown)('o', 'a', 'b', 'c', 'd');
    return typeof made === 'object' && made !== null && 'sk' in made;
  })
  .map(([name]) => name);

test('every item is described', () => {
  expect([...built, 'rows'].filter((name) => !told.has(name))).toEqual([]);
});

test('nothing unknown is described', () => {
  expect([...told].filter((name) => !(name! in keys))).toEqual([]);
});
