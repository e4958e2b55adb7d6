/** File names of downloaded tender documents. */
import { expect, test } from 'vitest';
import { downloadName } from '#shared/tenders/document.store.ts';

const bytes = (name: string): number => Buffer.byteLength(name);

test.each(['bases.pdf', 'año 2026.tar.gz', 'x', '.pdf'])('%s stays', (name) => {
  expect(downloadName(name)).toBe(name);
});

test('a long one is cut to 255 bytes, its ending stays', () => {
  expect(downloadName(`${'a'.repeat(400)}.pdf`)).toBe(`${'a'.repeat(251)}.pdf`);
  const long = downloadName(`${'ñ'.repeat(400)}.docx`);
  expect(long).toBe(`${'ñ'.repeat(125)}.docx`);
  expect(bytes(long)).toBe(255);
});

test('no character is cut in two', () => {
  const cut = downloadName(`a${'👩'.repeat(100)}`);
  expect(bytes(cut)).toBe(253);
  expect(cut.isWellFormed()).toBe(true);
});

test('an ending as long as a name is not an ending', () => {
  expect(downloadName(`a.${'b'.repeat(400)}`)).toBe(`a.${'b'.repeat(253)}`);
});
