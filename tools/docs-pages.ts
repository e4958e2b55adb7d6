/**
 * Generates the pages of `/docs`: the guides of docs/guides with the code of docs/examples/guides, the page of codes,
 * and the reference. Each page's HTML is generated from its Markdown, so that HTML and Markdown have the same content.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { codeCatalogue } from './docs-errors.ts';
import { htmlPage } from './docs-html.ts';
import { limitTables } from './docs-limits.ts';
import { mistakeTable } from './docs-mistakes.ts';
import { type ReferenceDescription, referencePages } from './docs-reference.ts';
import type { ShowingLogin } from './sandbox-credentials.ts';

const SYSTEM = 'functions/api/system';
export const DOCS_PAGES = `${SYSTEM}/get-docs-asset/pages.gen.json`;
export const DOCS_INDEX = `${SYSTEM}/get-docs/page.gen.json`;
export const DOCS_LLMS = `${SYSTEM}/get-llms/llms.gen.json`;

const ROOT = join(import.meta.dirname, '..');
const GUIDES = join(ROOT, 'docs/guides');
const SAMPLES = join(ROOT, 'docs/examples/guides');

/** Names of the guides in reading order, each with a short description for lists of pages. */
const GUIDE_NAMES: Readonly<Record<string, string>> = {
  index: 'what there is, and how requests are made',
  sandbox: 'connect a simulated login, synchronize it, wait for the end',
  mirror: 'keep a copy of every row true by the changes since a cursor',
  webhooks: 'receive an event when a sync ends: verify, read changes, retry, rotate',
  reading: 'fetch what a sync brought, month by month',
  links: 'let your customer type the password: links to connect and repair',
  agents: 'let an assistant read: one address, sign in, Allow',
  errors: 'every code of requests, runs and notices: who can resolve it, what to do, which login shows it',
  glossary: 'Spanish and English names',
  limits: 'how much of everything, and what happens beyond',
};
const CHANGELOG = 'changelog';

export const SAMPLE_LANGUAGES = [
  { name: 'curl', ending: 'sh' },
  { name: 'TypeScript', ending: 'ts' },
  { name: 'Python', ending: 'py' },
] as const;

export interface DocsPage {
  name: string;
  title: string;
  about: string;
  markdown: string;
}

/** Samples that exist only in some languages, by name; for example, no shell script maintains a database. */
const SOME_LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  mirror: ['ts', 'py'],
  tenders: ['ts', 'py'],
  warehouse: ['py'],
  warehouse_tenders: ['py'],
  airbyte: ['py'],
};

export const listLanguages = (sample: string) =>
  SAMPLE_LANGUAGES.filter(({ ending }) => SOME_LANGUAGES[sample]?.includes(ending) ?? true);

const sampleBlocks = (sample: string): string =>
  listLanguages(sample)
    .map(({ name, ending }) => {
      const text = readFileSync(join(SAMPLES, `${sample}.${ending}`), 'utf8').trimEnd();
      return [`**${name}**`, '', `\`\`\`${ending}`, text, '```'].join('\n');
    })
    .join('\n\n');

const guide = (name: string, about: string, catalogue: () => string): DocsPage => {
  const markdown = readFileSync(join(GUIDES, `${name}.md`), 'utf8')
    .replaceAll(/^<!-- sample: ([a-z_]+) -->$/gm, (_, sample: string) => sampleBlocks(sample))
    .replace(/^<!-- catalogue -->$/m, catalogue)
    .replace(/^<!-- limits -->$/m, limitTables)
    .replace(/^<!-- mistakes -->$/m, mistakeTable);
  return { name, title: /^# (.+)$/m.exec(markdown)![1]!, about, markdown };
};

/** The changelog of the repository. Each release has equal headings, which are no addresses on one page. */
const changelog = (): DocsPage => ({
  name: CHANGELOG,
  title: 'Changelog',
  about: 'what changed, release by release',
  markdown: readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').replaceAll(/^### (.+)$/gm, '**$1**'),
});

/** @param logins for each code, the sandbox logins with which a reader can see the code */
export const docsPages = (
  description: ReferenceDescription,
  logins: ReadonlyMap<string, ShowingLogin[]>,
): DocsPage[] => [
  ...Object.entries(GUIDE_NAMES).map(([name, about]) => guide(name, about, () => codeCatalogue(description, logins))),
  changelog(),
  ...referencePages(description),
];

/** Returns the text for language models: the addresses of each page's Markdown (llmstxt.org). */
const llms = (pages: readonly DocsPage[]): string =>
  [
    '# Data connections API',
    '',
    '> Connects a Chilean company to its tax authority, its banks and the public procurement portal, keeps their data',
    '> synchronized, and serves them over HTTP and signed webhooks.',
    '',
    'The description for generators is `/api/openapi.json` (OpenAPI 3.1).',
    '',
    '## Pages',
    '',
    ...pages.map(({ name, title, about }) => `- [${title}](/docs/${name}.md): ${about}`),
    '',
  ].join('\n');

const etagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url')}"`;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/** Returns path → text of each generated file. The texts are compressed, because the pages have about 1 MB. */
export const docsPageFiles = (pages: readonly DocsPage[]): Record<string, string> => {
  const links = pages.filter(({ name }) => name === 'reference' || name === CHANGELOG || name in GUIDE_NAMES);
  const files = pages.flatMap((page) => [
    { file: page.name, type: HTML, text: htmlPage(page, links) },
    { file: `${page.name}.md`, type: MARKDOWN, text: `${page.markdown.trimEnd()}\n` },
  ]);
  const index = files.find(({ file }) => file === 'index')!.text;
  const list = llms(pages);
  return {
    [DOCS_PAGES]: json(
      files.map(({ file, type, text }) => ({
        file,
        type,
        etag: etagOf(text),
        gzip: gzipSync(text, { level: 9 }).toString('base64'),
      })),
    ),
    [DOCS_INDEX]: json({ etag: etagOf(index), text: index }),
    [DOCS_LLMS]: json({ etag: etagOf(list), text: list }),
  };
};
