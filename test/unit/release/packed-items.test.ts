/**
 * Bytes that no schema describes: the next version reads what our code packs, and the present code packs as the version
 * before reads.
 */
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { currentPacked, findOtherPacked, PACKED_KINDS, type PackedKind } from '#tools/release/packed-items.ts';
import { readReleasedItems } from '#tools/release/released-items.ts';
import { fromText, toText } from '#tools/release/stored-values.ts';

const pack = (value: unknown) => deflateRawSync(JSON.stringify(value));
const INDEX = PACKED_KINDS['page index']!;

const found = async (kinds: Record<string, PackedKind>) => {
  const { packed } = readReleasedItems();
  return (await findOtherPacked(packed, { ...PACKED_KINDS, ...kinds })).map(({ subject }) => subject);
};

test('each kind is read and packed as in the release', async () => {
  expect(await found({})).toEqual([]);
});

test('other bytes of the same content are the same', async () => {
  const packed = fromText(toText(await currentPacked())) as Awaited<ReturnType<typeof currentPacked>>;
  const { item } = packed['page index']!;
  const [keys, ...counts] = [
    ['2026-11-24', '0000-00-00'],
    [2, 0],
    [1, 1],
  ];
  const slow = deflateRawSync(JSON.stringify([keys, ...counts]), { level: 0 });
  expect(Buffer.compare(slow, item.packed)).not.toBe(0);
  const write = () => ({ facets: item.facets, packed: slow });
  expect(await findOtherPacked(packed, { ...PACKED_KINDS, 'page index': { ...INDEX, write } })).toEqual([]);
});

test('a writer of another form is refused: the code of the release would not read it', async () => {
  const write = async () => ({ ...(await INDEX.write()), packed: pack({ version: 2, blocks: [] }) });
  expect(await found({ 'page index': { ...INDEX, write } })).toEqual(['page index.packed']);
});

test('an attribute of a list row under another name is refused', async () => {
  const row = PACKED_KINDS['list row']!;
  const write = async () => {
    const { updated_run: run, ...rest } = await row.write();
    return { ...rest, changed_run: run };
  };
  expect(await found({ 'list row': { ...row, write } })).toEqual(['list row.updated_run', 'list row.changed_run']);
});

test('a reader that throws or reads something else, and a kind that is gone, are refused', async () => {
  const throws: PackedKind = { ...INDEX, read: () => JSON.parse('{') };
  expect(await found({ 'page index': throws })).toEqual(['page index']);
  expect(await found({ 'page index': { ...INDEX, read: () => ({ facets: [], blocks: [] }) } })).toEqual(['page index']);
  const { packed } = readReleasedItems();
  const { summary, ...others } = PACKED_KINDS;
  expect((await findOtherPacked(packed, others)).map(({ subject }) => subject)).toEqual(['summary']);
});
