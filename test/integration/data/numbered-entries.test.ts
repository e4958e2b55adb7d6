/** Numbered entries of the feeds: no entry becomes visible after an entry with a larger number. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { findEntries, findNewestEntry, nextEntry } from '#shared/table/numbered-entries.ts';
import type { NumberedList } from '#shared/table/numbered-list.ts';
import * as table from '#shared/table/table.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';

class Taken extends Error {}

let server: EngineTable;
beforeAll(async () => {
  server = await startEngineTable();
});
afterAll(() => server.stop());

const newList = (): NumberedList => keys.organizationChanges(randomUUID(), 0);
const next = (list: NumberedList, name: string) => nextEntry(list, { name }, () => new Taken());
const put = async (list: NumberedList, name: string) => table.transact((await next(list, name)).items);
const namesAfter = async (list: NumberedList, after: number) =>
  (await findEntries(list, after, 10)).map(({ n, item }) => [n, item.name]);

test('the slower of two workers with the same last number writes nothing, and takes the next number', async () => {
  const list = newList();
  await put(list, 'first');
  const [slow, quick] = [await next(list, 'slow'), await next(list, 'quick')];
  await table.transact(quick.items);
  await expect(table.transact(slow.items)).rejects.toThrow(Taken);
  expect(await namesAfter(list, 1)).toEqual([[2, 'quick']]);
  await put(list, 'slow');
  expect(await namesAfter(list, 2)).toEqual([[3, 'slow']]);
});

test('the same holds for the first entry of a list', async () => {
  const list = newList();
  const [slow, quick] = [await next(list, 'slow'), await next(list, 'quick')];
  await table.transact(quick.items);
  await expect(table.transact(slow.items)).rejects.toThrow(Taken);
  expect(await namesAfter(list, 0)).toEqual([[1, 'quick']]);
});

test('the newest entry after a number is found, also if the last number has no entry any more', async () => {
  const list = newList();
  expect(await findNewestEntry(list, 0)).toBeNull();
  for (const name of ['a', 'b', 'c']) await put(list, name);
  expect([await findNewestEntry(list, 0), await findNewestEntry(list, 3)]).toEqual([3, null]);
  await table.remove(list.entry(3));
  expect(await findNewestEntry(list, 0)).toBe(2);
});
