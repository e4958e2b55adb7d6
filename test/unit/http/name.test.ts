import { expect, test } from 'vitest';
import { judge } from '#shared/http/request/issues.ts';
import { name } from '#shared/http/views/name.ts';

test.each([
  'Ana\u0000',
  '\tAna',
  'a\u202Etxt.exe',
  '\u2066x',
  'x\u200f',
  '\u009b31m',
  'two\nlines',
  'An\u200ba',
  'A\u00adna',
  '\ufeffAna',
  'A\u2060na',
])('%j could pass for another name, and is refused', (text) => {
  expect(judge(name(), text).finding).toBe(
    'body must not have control characters, marks of direction or characters of no width',
  );
});

test.each(['Compañía Ñandú SpA', '👩‍👧', 'שלום', '  Ana  ', 'a\u00a0b'])('%j is a name', (text) => {
  expect(judge(name(), text).data).toBe(text.trim());
});
