/** Converts Markdown to a page that needs no script: one style sheet, landmarks, and no external files. */
import { Marked, type Tokens } from 'marked';

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const plain = (text: string): string => text.replaceAll(/[`*]/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');

const anchor = (text: string): string =>
  plain(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

/**
 * Converts a link between guides to an address: `webhooks.md` becomes `/docs/webhooks`, and `index.md` becomes `/docs`.
 */
const addressOf = (href: string): string => {
  const [, name, rest = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === undefined) return href;
  return name === 'index' ? `/docs${rest}` : `/docs/${name}${rest}`;
};

/** Wraps wide content in a named region, so that it can also be scrolled by keyboard. */
const scrolling = (label: string, html: string): string =>
  `<div class="wide" role="region" aria-label="${escapeHtml(label)}" tabindex="0">${html}</div>\n`;

const LANGUAGES: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', py: 'Python', json: 'JSON' };

const renderer = () => {
  // Regions need unique names, so each name contains the heading above the region and a number.
  let heading = '';
  let count = 0;
  const named = (kind: string): string => {
    count += 1;
    return `${kind} ${count}: ${heading}`;
  };
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        heading = plain(text);
        return `<h${depth} id="${anchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang = '' }: Tokens.Code): string {
        const label = named(LANGUAGES[lang] ?? 'Code');
        return scrolling(label, `<pre><code>${escapeHtml(text)}</code></pre>`);
      },
      table(token: Tokens.Table): string {
        const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
          row.map((one) => `<${tag}>${this.parser.parseInline(one.tokens)}</${tag}>`).join('');
        const head = token.header.map((one) => `<th scope="col">${this.parser.parseInline(one.tokens)}</th>`);
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        const html = `<table><thead><tr>${head.join('')}</tr></thead><tbody>${rows}</tbody></table>`;
        return scrolling(named('Table'), html);
      },
      link({ href, tokens }: Tokens.Link): string {
        return `<a href="${escapeHtml(addressOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag): string => escapeHtml(text),
    },
  });
  return marked;
};

interface NamedPage {
  name: string;
  title: string;
}

/** @param links pages to which every page links */
export const htmlPage = (
  { name, title, markdown }: NamedPage & { markdown: string },
  links: readonly NamedPage[],
): string => {
  const current = name.startsWith('reference-') ? 'reference' : name;
  const items = links.map(
    (link) =>
      `<li><a href="${addressOf(`${link.name}.md`)}"${link.name === current ? ' aria-current="page"' : ''}>${escapeHtml(link.name === 'index' ? 'Start' : link.title)}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name === 'index' ? title : `${plain(title)} · Data connections API`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/guide.css">
<link rel="alternate" type="text/markdown" href="/docs/${name}.md">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<nav aria-label="Documentation"><ul>
${items.join('\n')}
<li><a href="/docs/try">Try it</a></li>
</ul></nav>
</header>
<main id="content">
${renderer().parse(markdown, { async: false })}</main>
<footer><a href="/docs/${name}.md">This page as Markdown</a> <a href="/api/openapi.json">openapi.json</a></footer>
</body>
</html>
`;
};
