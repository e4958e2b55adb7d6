import { expect, test } from 'vitest';
import { fileItem, haveOtherContent } from '#shared/tenders/tender-file.store.ts';

const stored = (content: object) =>
  fileItem.fromItem({ pk: 'p', sk: 's', ...fileItem.toItem({ object: 'o', fetchedAt: 't', ...content }) });

test.each([
  ['two hashes', { bytes: 3, hash: 'a' }, { bytes: 3, hash: 'b' }, true],
  ['one hash twice', { bytes: 3, hash: 'a' }, { bytes: 3, hash: 'a' }, false],
  ['a file from before hashes existed, of the same length', { bytes: 3 }, { bytes: 3, hash: 'b' }, false],
  ['a file from before hashes existed, of another length', { bytes: 2 }, { bytes: 3, hash: 'b' }, true],
  ['two files from before lengths were stored', {}, {}, false],
])('%s', (_, a, b, areOther) => {
  expect(haveOtherContent(stored(a), stored(b))).toBe(areOther);
});

test('a file that is not stored is no other file', () => {
  expect(haveOtherContent(undefined, stored({ bytes: 3 }))).toBe(false);
});
