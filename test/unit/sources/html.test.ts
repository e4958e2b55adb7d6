/** Foreign HTML pages: the parser returns the text that a person would read, in time linear in the size of the page. */
import { load } from 'cheerio/slim';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NestedTooDeep, readHtml, seePage } from '#shared/sources/http/html.ts';
import { linksIn, openPage, tidy } from '#shared/sources/procurement/page.ts';
import { cleanProse } from '#shared/sources/procurement/prose.ts';
import { runs } from '#test/helpers/effort.ts';

const openedTags = (html: string): number => {
  let count = 0;
  try {
    readHtml(html, () => ({ onopentagname: () => void count++ }));
  } catch (error) {
    expect(error).toBeInstanceOf(NestedTooDeep);
  }
  return count;
};

describe('nested tags', () => {
  const nested = (times: number) => '<b>'.repeat(times) + '</x>'.repeat(times) + '</b>'.repeat(times);

  test('are read as deep as pages are, and given up at the same tag however many follow', () => {
    expect(openedTags(nested(200))).toBe(200);
    expect(openedTags(nested(1_000))).toBe(256);
    expect(openedTags(nested(100_000))).toBe(256);
  });

  test('of a login page say nothing; of a page of data they are refused; of a text they stay as they came', () => {
    const page = `<p>Clave incorrecta</p>${nested(100_000)}<input type="password">`;
    expect(seePage(page)).toEqual({ alerts: '', visible: '', hasPasswordField: false });
    expect(() => openPage(Buffer.from(page))).toThrow('tags nested more than 256 deep');
    expect(cleanProse(nested(100_000))).toBe(nested(100_000));
  });

  test('that are closed again are no nesting', () => {
    expect(openedTags('<p><b>x</b></p>'.repeat(1_000))).toBe(2_000);
    expect(openedTags('<li>x<br><input>'.repeat(1_000))).toBe(3_000);
  });
});

test('a person sees the text without scripts, styles and links', () => {
  const piece = fc.constantFrom(
    ...[
      '<p>',
      '</p>',
      '<a href="x">',
      '</a>',
      '<script>if (1 < 2) x()</script>',
      '<style>p {}</style>',
      'Clave ñ &amp; ',
    ],
    ...[
      '<noscript>',
      '</noscript>',
      '<div>',
      '</div>',
      '<input name="clave">',
      '<input type="password">',
      '<li>',
      '\n',
    ],
    ...['alert("no")', '<td', ' x=1>', '</b>', '<br/>'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const html = pieces.join('');
      const page = load(html);
      const hasPasswordField = page('input[type="password"], input[name="clave"]').length > 0;
      page('script, style, a, noscript').remove();
      const visible = page.root().text().replaceAll(/\s+/g, ' ');
      expect(seePage(html)).toMatchObject({ visible, hasPasswordField });
    }),
    { numRuns: runs(500) },
  );
});

test('what scripts alert is read, and no further than a person would', () => {
  expect(seePage(`<script>alert ( "Clave 'x' incorrecta" ); alert('dos')</script>`).alerts).toBe(
    "Clave 'x' incorrecta\ndos",
  );
  expect(seePage(`alert("${'x'.repeat(501)}")`).alerts).toBe('');
});

test('margins of lines go as before', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(' ', '\t', '\r', '\n', 'a', '\u00A0'), maxLength: 30 }), (text) => {
      const spaced = text.replaceAll('\u00A0', ' ');
      expect(tidy(text)).toBe(spaced.replaceAll(/[ \t]*\r?\n[ \t]*/g, '\n').trim());
    }),
    { numRuns: runs(1_000) },
  );
});

test('links are found as before', () => {
  const unit = fc.constantFrom('a', "'", '(', ' ', 'View.aspx?qs=Ab+/=', 'View.aspx?', '/', '=');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 20 }), (onclick) => {
      const before = [...onclick.matchAll(/[^'"\s(]*View\.aspx\?[A-Za-z]+=[A-Za-z0-9%+/=_-]+/gi)].flatMap(([link]) =>
        URL.canParse(link, 'https://x.cl/a/') ? [new URL(link, 'https://x.cl/a/').href] : [],
      );
      expect(linksIn({ onclick }, 'View.aspx', 'https://x.cl/a/').map(({ href }) => href)).toEqual(before);
    }),
    { numRuns: runs(1_000) },
  );
});
