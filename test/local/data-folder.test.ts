/** If this program cannot open a folder's secrets, the start refuses the folder in one line and leaves it unchanged. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KEY_FILE, keptSecret, requireFormat } from '#tools/local/data-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('an empty folder is taken, and again once it is filled', () => {
  requireFormat(folder);
  keptSecret(folder, KEY_FILE);
  expect(() => requireFormat(folder)).not.toThrow();
});

test('one with a key but without a format is from an earlier version', () => {
  keptSecret(folder, KEY_FILE);
  expect(() => requireFormat(folder)).toThrow(/^\S+ was filled by another version of this program: remove it, .*$/);
  expect(readdirSync(folder)).toEqual([KEY_FILE]);
});

test.each(['1', '3', '99'])('one of format %s is refused, and not written to', (format) => {
  writeFileSync(join(folder, 'format'), format);
  expect(() => requireFormat(folder)).toThrow(/^\S+ was filled by another version of this program: remove it, .*$/);
  expect(readFileSync(join(folder, 'format'), 'utf8')).toBe(format);
});
