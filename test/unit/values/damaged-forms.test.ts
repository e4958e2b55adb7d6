import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countDamage, countEntities, isDamagedForm, restoreTexts } from '#shared/values/damaged-forms.ts';

const twice = (text: string): string => Buffer.from(text).toString('latin1');

describe('damage that a text shows', () => {
  test.each([
    ['COMPAÑÍA', 0],
    ['SÃO PAULO', 0],
    ['¿QUÉ?', 0],
    ['COMPA\uFFFD\uFFFDA', 2],
    [twice('COMPAÑÍA'), 2],
    // Windows-1252 shows the second byte of Ñ and Ó as quotation marks.
    ['COMPAÃ‘IA DE CAMIÃ“N', 2],
    ['“x” â€œx', 1],
    // One letter of Portuguese says that the text was not encoded twice; the next text of the answer is counted.
    [`{"a":"SÃO Ã±","b":"${twice('ñ')}"}`, 1],
    ['{"a":"\\u00c3\\u00b1 \\ufffd"}', 2],
  ])('%j: %i', (text, count) => {
    expect(countDamage(text)).toBe(count);
  });

  test.each([
    ['A & B; C&D;', 0],
    ['CAMI&Oacute;N &amp; C&iacute;a &#209; &#xD1;', 5],
    ['&CIA; &co;', 0],
  ])('entities in %j: %i', (text, count) => {
    expect(countEntities(text)).toBe(count);
  });
});

describe('a damaged form of a stored text', () => {
  test.each([
    ['MU?OZ', 'MUÑOZ'],
    ['MU??OZ', 'MUÑOZ'],
    ['MU\uFFFDOZ', 'MUÑOZ'],
    [twice('MUÑOZ PEÑA'), 'MUÑOZ PEÑA'],
    ['MU&Ntilde;OZ &amp; C?A', 'MUÑOZ & CÍA'],
    ['?QU?? (x*)', '¿QUÉ? (x*)'],
    ['Ã', 'Ñ'],
    ['\uFFFD y ??', '😀 y 😀'],
  ])('%j of %j', (shown, stored) => {
    expect(isDamagedForm(shown, stored)).toBe(true);
  });

  test.each([
    ['MUÑOZ', 'MU?OZ'],
    ['MUNOZ', 'MUÑOZ'],
    ['MU?OZ', 'MUNOZ'],
    ['MU?OZ', 'PEÑA'],
    ['MU?OZ PEREZ', 'MUÑOZ'],
    ['MU????OZ?', 'MUÑOZ'],
    ['ñ', twice('ñ')],
    ['x', 'x'],
  ])('%j is none of %j', (shown, stored) => {
    expect(isDamagedForm(shown, stored)).toBe(false);
  });

  test('any text, each letter beyond ASCII damaged in any way, is restored', () => {
    const letters = fc.array(fc.constantFrom(...'abc ?.*()ñÑáíÓü°¿–'), { maxLength: 12 });
    const damages: ((letter: string) => string)[] = [() => '?', () => '??', () => '\uFFFD', twice];
    fc.assert(
      fc.property(letters, fc.constantFrom(...damages), (parts, damage) => {
        const stored = parts.join('');
        const shown = parts.map((letter) => (letter > '\x7F' ? damage(letter) : letter)).join('');
        expect(restoreTexts(shown, stored)).toBe(stored);
      }),
    );
  });

  test('a text that could be matched in many ways takes little time', () => {
    expect(isDamagedForm('??Ñ'.repeat(500), `${'Ñ'.repeat(1_200)}z`)).toBe(false);
  }, 5_000);

  test('of a record: each text by its field, and a list by its positions', () => {
    const stored = { name: 'MUÑOZ', amount: '1', list: [{ text: 'SÍ' }], other: null };
    expect(restoreTexts({ name: 'MU?OZ', amount: '2', list: [{ text: 'S?' }], other: 'Ñ?' }, stored)).toEqual({
      ...stored,
      amount: '2',
      other: 'Ñ?',
    });
    const same = { name: 'x' };
    expect(restoreTexts(same, stored)).toBe(same);
  });
});
