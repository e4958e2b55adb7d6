/** A folder whose secrets this program cannot open is refused at start, in one line, and left as it is. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KEY_FILE, keptSecret, requireFormat } from '#infra/local/data-folder.ts';

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

test('one with a key but without a format is of before', () => {
  keptSecret(folder, KEY_FILE);
  expect(() => requireFormat(folder)).toThrow(/^\S+ was filled by another version of this program: remove it, .*$/);
  expect(readdirSync(folder)).toEqual([KEY_FILE]);
});

test('one of another format is refused, and not written to', () => {
  writeFileSync(join(folder, 'format'), '1');
  expect(() => requireFormat(folder)).toThrow('was filled by another version');
  expect(readFileSync(join(folder, 'format'), 'utf8')).toBe('1');
});
