/** Selects of the page of accounts, read from its tokens. */
import { describe, expect, it } from 'vitest';
import { readSelects } from '#shared/sources/bankthree/read-selects.ts';

const select = (inside: string, name = 'cuenta'): string => `<form><select name="${name}">${inside}</select></form>`;
const optionsOf = (html: string, name = 'cuenta') => readSelects(html).get(name);

describe('options of a select', () => {
  it('have the value of their attribute, and their text as label', () => {
    expect(optionsOf(select('<option value="11">Cta. 11 CLP</option><OPTION VALUE=12>Cta. <b>12</b> USD'))).toEqual([
      { value: '11', label: 'Cta. 11 CLP' },
      { value: '12', label: 'Cta. 12 USD' },
    ]);
  });

  it('have their text as value where the attribute is not there', () => {
    expect(optionsOf(select('<option> 13 <option>14'))).toEqual([
      { value: '13', label: '13' },
      { value: '14', label: '14' },
    ]);
  });

  it('are left out where the value is empty', () => {
    expect(optionsOf(select('<option value="">Seleccione</option><option value="15">15</option>'))).toEqual([
      { value: '15', label: '15' },
    ]);
  });

  it('decode what is written as an entity, in values and labels', () => {
    expect(optionsOf(select('<option value="1&#49;&amp;2">A &amp; B</option>'))).toEqual([
      { value: '11&2', label: 'A & B' },
    ]);
  });

  it('take the first of two attributes of one name, and no attribute whose name only ends alike', () => {
    expect(optionsOf(select('<option data-value="9" value="16" value="17">x</option>'))).toEqual([
      { value: '16', label: 'x' },
    ]);
  });

  it('of two selects with one name are all of them, in order', () => {
    const html = select('<option value="1">a</option>') + select('<option value="2">b</option>');
    expect(optionsOf(html)?.map(({ value }) => value)).toEqual(['1', '2']);
  });

  it('outside a select, in a comment or in a script do not count', () => {
    const html = `<option value="1">a</option><!-- ${select('<option value="2">b</option>')} --><script>"${select('')}"</script>`;
    expect(readSelects(html)).toEqual(new Map());
  });

  it('that the page cuts off are read as far as they are there', () => {
    expect(optionsOf('<select name="cuenta"><option value="18">Cta. 1')).toEqual([{ value: '18', label: 'Cta. 1' }]);
    expect(optionsOf('<select name="cuenta"><option value="18"')).toEqual([]);
  });

  it('are read however deep they are nested', () => {
    expect(optionsOf('<b>'.repeat(10_000) + select('<option value="19">x'))).toEqual([{ value: '19', label: 'x' }]);
  });
});
