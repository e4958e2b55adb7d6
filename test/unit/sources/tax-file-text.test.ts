/** The file behind a job, as text: unpacked up to a limit that fits into a worker of 512 MB. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fileText } from '#shared/sources/tax/rcv-file-text.ts';

const MIB = 1024 * 1024;

test('unpacks what a month may hold', () => {
  const text = 'Nro;Tipo Doc;Folio\n'.repeat(1_000);
  expect(fileText(gzipSync(text), 'purchases/33')).toBe(text);
  expect(fileText(Buffer.from(text), 'purchases/33')).toBe(text);
});

test('refuses a file that unpacks to more than 64 MiB, and says so', () => {
  const bomb = gzipSync(Buffer.alloc(64 * MIB + 1, 'x'));
  expect(() => fileText(bomb, 'purchases/33')).toThrow('purchases/33: the file unpacks to more than 64 MiB');
  expect(() => fileText(Buffer.alloc(64 * MIB + 1, 'x'), 'purchases/33')).toThrow('more than 64 MiB');
});

test('distinguishes a file that is too large from one that is no gzip', () => {
  expect(() => fileText(gzipSync('x').subarray(0, 8), 'purchases/33')).toThrow('the file cannot be unpacked');
});
