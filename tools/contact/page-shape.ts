/** Reads the shape of a page: its forms with their fields, its grids by column, and its marked texts. Pure. */
import { type CheerioAPI, load } from 'cheerio';
import { addField, addObject, type BodyShape } from './shape.ts';
import { type KnownNames, nameOrKind } from './value-kinds.ts';

/** Longer hidden values are states of the page, and their kind says nothing. */
const HIDDEN_MAX = 60;

const addForms = (shape: BodyShape, $: CheerioAPI, names: KnownNames | null): void => {
  const formOf = (form: { attr(name: string): string | undefined }): string =>
    `form ${nameOrKind(form.attr('id') || form.attr('name') || 'form', names)}`;
  $('form').each((_, form) => addObject(shape, formOf($(form))));
  $('input[name], select[name], textarea[name]').each((_, element) => {
    const field = $(element);
    const form = field.closest('form');
    const value = field.attr('value') ?? '';
    const isState = field.attr('type') === 'hidden' && value.length > HIDDEN_MAX;
    const path = form.length > 0 ? formOf(form) : 'page';
    addField(shape, `${path}.${nameOrKind(field.attr('name') ?? '', names)}`, isState ? 'state' : value);
  });
};

/** A grid is a table with a row of headings. */
const addGrids = (shape: BodyShape, $: CheerioAPI, names: KnownNames | null): void => {
  $('table').each((_, element) => {
    const table = $(element);
    const name = table.attr('id') ? `table ${nameOrKind(table.attr('id') ?? '', names)}` : 'table';
    const rows = table.find('tr').filter((__, row) => $(row).closest('table').is(table));
    const head = rows.filter((__, row) => $(row).children('th').length > 0).first();
    if (head.length === 0) return;
    const columns = head
      .children('th')
      .map((__, cell) => nameOrKind($(cell).text().trim() || 'unnamed', names))
      .get();
    rows.each((__, row) => {
      const cells = $(row).children('td');
      if (cells.length === 0) return;
      addObject(shape, name);
      cells.each((at, cell) => addField(shape, `${name}.${columns[at] ?? `column ${at + 1}`}`, $(cell).text().trim()));
    });
  });
};

/** Adds the texts of elements with an id, which pages of that kind fill with data. */
const addMarks = (shape: BodyShape, $: CheerioAPI, names: KnownNames | null): void => {
  $('span[id], label[id]').each((_, element) => {
    const mark = $(element);
    addField(shape, `marks.${nameOrKind(mark.attr('id') ?? '', names)}`, mark.text().trim());
  });
};

export const addPage = (shape: BodyShape, html: string, names: KnownNames | null): void => {
  const $ = load(html);
  addForms(shape, $, names);
  addGrids(shape, $, names);
  addMarks(shape, $, names);
};
