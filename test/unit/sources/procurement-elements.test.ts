/** For any page, even a broken one, the flat list of elements equals what a document of the same library contains. */
import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'cheerio/slim';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { brokenText, plainText, readElements } from '#shared/sources/procurement/elements.ts';
import { byId, openPage } from '#shared/sources/procurement/page.ts';
import { cleanProse } from '#shared/sources/procurement/prose.ts';
import { runs } from '#test/helpers/effort.ts';

const FOLDER = new URL('../../../shared/sources/procurement/fixtures/', import.meta.url);
const PAGES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.body'))
  .map((name) => readFileSync(new URL(name, FOLDER), 'latin1'))
  .filter((text) => text.startsWith('<'));

fc.configureGlobal({ seed: 20_261_121 });

/** Element by element, in the order of the page. */
const byDocument = (html: string) => {
  const $ = load(html);
  const all = $('*').toArray();
  return all.map((element) => {
    const own = $(element);
    const broken = own.clone();
    broken.find('br').replaceWith('\n');
    return {
      name: 'name' in element ? element.name : '',
      attribs: { ...own.attr() },
      plain: own.text(),
      broken: broken.text(),
      parent: all.indexOf(own.parent()[0]!),
      next: all.indexOf(own.next()[0]!),
      inside: own.find('*').length,
    };
  });
};

const byElements = (html: string) => {
  const page = readElements(html);
  return page.elements.map((element) => {
    const { name, attribs, parent, at, until } = element;
    const next = page.elements[until];
    return {
      name,
      attribs: { ...attribs },
      plain: plainText(page, element),
      broken: brokenText(page, element),
      parent: parent ? parent.at : -1,
      next: next && next.parent === parent ? next.at : -1,
      inside: until - at - 1,
    };
  });
};

const PIECES = [
  '<',
  '>',
  '"',
  "'",
  '&',
  '&amp',
  '&ntilde;',
  '&#39;',
  '<br>',
  '</br>',
  '<td>',
  '</td>',
  '</tr>',
  '<table>',
  '</table>',
  '<p>',
  '</p>',
  '<script>',
  '</script>',
  '<title>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<input id="a_File"',
  '<svg/>',
  ' id="x_File"',
  '\0',
  'ñ',
];

/** A page with pieces inserted and removed anywhere. */
const anyPage = fc
  .record({
    page: fc.constantFrom(...PAGES),
    changes: fc.array(
      fc.record({
        at: fc.nat(4_000),
        drop: fc.nat(12),
        put: fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom(...PIECES)),
      }),
      { maxLength: 6 },
    ),
  })
  .map(({ page, changes }) =>
    changes.reduce((text, { at, drop, put }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + drop);
    }, page),
  );

test('of any page', () => {
  expect(PAGES.length).toBeGreaterThanOrEqual(8);
  for (const page of PAGES) expect(byElements(page)).toEqual(byDocument(page));
  void fc.assert(
    fc.property(anyPage, (page) => void expect(byElements(page)).toEqual(byDocument(page))),
    { numRuns: runs(400) },
  );
});

test('elements are found by a whole word at the end of their id, the first one', () => {
  const ids = fc.array(fc.array(fc.constantFrom('a', 'b', 'File', '', 'x9'), { maxLength: 4 }), { maxLength: 8 });
  const wanted = fc.array(fc.constantFrom('a', 'b', 'File', 'x9'), { minLength: 1, maxLength: 3 });
  void fc.assert(
    fc.property(ids, wanted, (all, words) => {
      const names = all.map((parts) => parts.join('_'));
      const html = names.map((id, at) => `<i id="${id}" n="${at}"></i>`).join('');
      const id = words.join('_');
      const first = names.findIndex((name) => name === id || name.endsWith(`_${id}`));
      expect(byId(openPage(Buffer.from(html)), id)?.attribs.n).toBe(first < 0 ? undefined : String(first));
    }),
    { numRuns: runs(400) },
  );
});

/** The same text by Cheerio. */
const proseByDocument = (text: string): string => {
  if (!/[&<]/.test(text)) return text;
  const page = load(text.replaceAll(/<(?!\/?(?:br|p|b|i|u|div|span|strong|em|li|ul|ol)\b)/gi, '&lt;'));
  page('br').replaceWith('\n');
  page('p, div, li').append('\n');
  return page.root().text();
};

test('prose is what a document says', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.constantFrom(...PIECES, '<li>', '</li>', '<div>', '<b', '< 3'),
  );
  const tidy = (text: string): string =>
    text
      .replaceAll('\u00A0', ' ')
      .replaceAll(/[ \t]*\r?\n[ \t]*/g, '\n')
      .trim();
  void fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      expect(cleanProse(text)).toBe(tidy(proseByDocument(text)));
    }),
    { numRuns: runs(1_000) },
  );
});
