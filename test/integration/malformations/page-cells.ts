/** Malformations of HTML pages: missing, empty or changed controls, rows, links, hidden fields. */
import { bytes, type Cell, type Change, everywhere, once, text } from './cells.ts';
import { scaled } from './json-edit.ts';
import type { WireAnswer } from './wire.ts';

/** `DWNL_grdId_ctl02_File` and `…_ctl03_File` are one kind of control. */
const nameOf = (id: string): string => id.replaceAll(/ctl\d{2,3}/g, 'ctl*');

const html =
  (work: (page: string) => string | undefined): Change =>
  (body) => {
    const changed = work(text(body));
    return changed === undefined ? undefined : bytes(changed);
  };

const TAG = /<([a-z]+)\b([^>]*)>/gi;

const idsIn = (page: string): string[] => [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => nameOf(id!));

const onTags = (
  isWanted: (tag: string, attributes: string) => boolean,
  change: (whole: string, after: string) => { tag: string; after?: string },
  which: 'all' | 'one',
): Change =>
  html((page) => {
    const found = [...page.matchAll(TAG)].filter(([, tag, attributes]) => isWanted(tag!, attributes!));
    const wanted =
      which === 'all' ? found : found.slice(Math.floor(found.length / 2), Math.floor(found.length / 2) + 1);
    if (wanted.length === 0) return undefined;
    let result = '';
    let at = 0;
    for (const match of wanted) {
      const end = match.index + match[0].length;
      const textEnd = page.indexOf('<', end) < 0 ? page.length : page.indexOf('<', end);
      const { tag, after } = change(match[0], page.slice(end, textEnd));
      result += page.slice(at, match.index) + tag;
      at = end;
      if (after !== undefined) {
        result += after;
        at = textEnd;
      }
    }
    return result + page.slice(at);
  });

const hasId = (name: string) => (_tag: string, attributes: string) => {
  const id = /\sid="([^"]+)"/.exec(attributes)?.[1];
  return id !== undefined && nameOf(id) === name;
};

const CONTROL_CHANGES: Readonly<Record<string, (whole: string, after: string) => { tag: string; after?: string }>> = {
  'id gone': (whole) => ({ tag: whole.replace(/\sid="[^"]*"/, '') }),
  'element gone': () => ({ tag: '' }),
  'text gone': (whole) => ({ tag: whole, after: '' }),
  'other text': (whole, after) => (after.trim() === '' ? { tag: whole } : { tag: whole, after: 'otro texto' }),
  'more money': (whole, after) => {
    const more = scaled(after.replace(/^\s*\$\s*/, '').trim());
    return more === undefined ? { tag: whole } : { tag: whole, after: `$ ${String(more)}` };
  },
  'link gone': (whole) => ({ tag: whole.replace(/\s(?:href|onclick|src)="[^"]*"/g, '') }),
  'link of a new shape': (whole) => ({ tag: whole.replace(/\.aspx\?/g, '/nuevo?') }),
  disabled: (whole) => ({
    tag: /^<(?:input|a)\b/i.test(whole) ? whole.replace(/\s*\/?>$/, ' disabled="disabled">') : whole,
  }),
  'no value': (whole) => ({ tag: whole.replace(/\svalue="[^"]*"/, ' value=""') }),
  'value zero': (whole) => ({ tag: whole.replace(/\svalue="\d{1,6}"/, ' value="0"') }),
  'name gone': (whole) => ({ tag: whole.replace(/\sname="[^"]*"/, '') }),
};

/** Rows of a table that contain no table themselves. */
const ROWS = /<tr\b(?:(?!<tr\b|<table\b)[\s\S])*?<\/tr>/gi;
const OPTIONS = /<option\b(?:(?!<option\b)[\s\S])*?<\/option>/gi;

const ROW_CHANGES: Readonly<Record<string, (rows: string[]) => string[]>> = {
  'a copy in place of the second': ([first, , ...rest]) => [first!, first!, ...rest],
  'first row added again': ([first, ...rest]) => [first!, first!, ...rest],
  'first row gone': (rows) => rows.slice(1),
  'last row gone': (rows) => rows.slice(0, -1),
  'half of the rows': (rows) => rows.slice(0, Math.ceil(rows.length / 2)),
  'no rows': () => [],
  'rows turned round': (rows) => rows.toReversed(),
};

/** Changes rows that contain a control each, which excludes headings. */
const onRows = (pattern: RegExp, holds: string, change: (rows: string[]) => string[]): Change =>
  html((page) => {
    const found = [...page.matchAll(pattern)].filter(([row]) => row.includes(holds));
    const [first, last] = [found[0], found.at(-1)];
    if (found.length < 2 || !first || !last) return undefined;
    return `${page.slice(0, first.index)}${change(found.map(([row]) => row)).join('')}${page.slice(last.index + last[0].length)}`;
  });

const PARTS: Readonly<Record<string, RegExp>> = {
  'every form': /<\/?form\b[^>]*>/gi,
  'every hidden field': /<input\b[^>]*type="hidden"[^>]*>/gi,
  'the view state': /<input\b[^>]*__VIEWSTATE"[^>]*>/gi,
  'every link': /\shref="[^"]*"/g,
  'every script': /<script\b[\s\S]*?<\/script>/gi,
  'every table': /<table\b[\s\S]*<\/table>/gi,
  'every section': /<div\b[^>]*id="[^"]*Ficha\d"[^>]*>/gi,
};

/** Copies of rows with new control numbers. */
const underNewNumbers = (rows: string[], after: number): string[] =>
  rows.map((row, at) => row.replaceAll(/ctl\d{2,3}/g, `ctl${after + at + 2}`));

const rowsAgain = (rows: string[]): string[] => [...rows, ...underNewNumbers(rows, rows.length + 20)];

/** Changes the last text of the first row that is not part of a control: a description, a size, a date. */
const withOtherText = (row: string): string => row.replace(/>([^<>]*\w[^<>]*)<(?!.*>[^<>]*\w[^<>]*<)/s, '>otro $1<');

const COPIES: Readonly<Record<string, (rows: string[]) => string[]>> = {
  'rows again under new numbers': rowsAgain,
  'a copy with one cell changed': ([first, , ...rest]) => [
    first!,
    ...underNewNumbers([withOtherText(first!)], 40),
    ...rest,
  ],
  'a copy with one cell changed added': ([first, ...rest]) => [
    first!,
    ...underNewNumbers([withOtherText(first!)], 40),
    ...rest,
  ],
};

/** The site's own page, form and hidden fields, with an error text instead of its content. */
const faulty = (page: string): string | undefined => {
  const hidden = page.match(/<input\b[^>]*type="hidden"[^>]*>/gi) ?? [];
  const form = /<form\b[^>]*>/i.exec(page)?.[0];
  if (form === undefined) return undefined;
  const error =
    '<table><tr><td><span id="lblError">Ha ocurrido un error. Intente m\xe1s tarde.</span></td></tr></table>';
  return page.replace(
    /(<body\b[^>]*>)[\s\S]*(<\/body>)/i,
    (_, open: string, close: string) => `${open}${form}${hidden.join('')}${error}</form>${close}`,
  );
};

const emptied = (page: string): string =>
  page.replace(/<body\b[^>]*>[\s\S]*<\/body>/i, '<body><form id="form1"></form></body>');

export const pageCells = (answers: readonly WireAnswer[]): Cell[] => {
  const names = [...new Set(answers.flatMap(({ body }) => idsIn(text(body))))].sort();
  const controls = names.flatMap((name) =>
    Object.entries(CONTROL_CHANGES).flatMap(([what, change]) => [
      ...everywhere(`${what} ${name}`, answers, onTags(hasId(name), change, 'all')),
      ...(name.includes('ctl*') ? once(`${what} one ${name}`, answers, onTags(hasId(name), change, 'one')) : []),
    ]),
  );
  const rows = Object.entries(ROW_CHANGES).flatMap(([what, change]) => [
    ...once(`${what} of controls`, answers, onRows(ROWS, '_ctl', change)),
    ...once(`${what} of options`, answers, onRows(OPTIONS, 'option', change)),
  ]);
  const parts = Object.entries(PARTS).flatMap(([what, part]) =>
    everywhere(
      `${what} gone`,
      answers,
      html((page) => page.replaceAll(part, '')),
    ),
  );
  const copies = Object.entries(COPIES).flatMap(([what, change]) =>
    once(`${what} of controls`, answers, onRows(ROWS, '_ctl', change)),
  );
  return [
    ...[...controls, ...rows, ...copies, ...parts],
    ...everywhere('an empty page in its own frame', answers, html(emptied)),
    ...everywhere('an error page in its own frame', answers, html(faulty)),
  ];
};
