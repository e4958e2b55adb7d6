/**
 * Documents name only things that exist: identifiers, files, folders, npm scripts and link targets. All ADRs have one
 * form.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { codeFiles, ROOT } from './code-files.ts';

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const filesOf = (...patterns: string[]): string[] =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**', '**/.local/**'] }));

/**
 * Left out: ADRs and the changelog, which are history, and the pages that describe data, which have their own tests.
 */
const DOCUMENTS = filesOf(
  ...[
    'README.md',
    'CONTRIBUTING.md',
    'docs/architecture.md',
    'docs/glossary.md',
    'docs/local-stack.md',
    'docs/adding-a-source.md',
  ],
  'docs/guides/*.md',
);

const PATHS = filesOf('*', '.ci/*', '{dashboard,docs,events,functions,infra,shared,test,tools}/**/*').map((path) =>
  path.replaceAll('\\', '/'),
);
/** Folders that commands in the documents create. */
const OUTPUT = /^(?:dist|cdk\.out|\.local|\.venv-emulator|node_modules)\b/;
const SCRIPTS = new Set(
  Object.keys((JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }).scripts),
);

/** Words with and without dashes, because `dispatch-sync` is one name and `sync` another. */
const NAMES = [/[A-Za-z_$][\w$]*/g, /[A-Za-z_$][\w$]*(?:-[\w$]+)+/g];

const knownNames = (): Set<string> => {
  // Pages of the guides are generated from the guides, and this file contains invented names.
  const isCopy = (path: string) => /get-docs|get-llms|house\/docs\.test\.ts$/.test(path);
  const texts = [
    ...codeFiles()
      .filter(({ path }) => !isCopy(path))
      .map(({ code }) => code),
    ...PATHS.filter((path) => /\.(?:json|py|mjs|cjs|css|html|ya?ml|sh|txt)$/.test(path) && !isCopy(path)).map(textOf),
    ...PATHS,
  ];
  return new Set(texts.flatMap((text) => NAMES.flatMap((pattern) => text.match(pattern) ?? [])));
};
const KNOWN = knownNames();

/** `<name>`, `*`, `{a,b}` and `…` are open: any name fits. */
const OPEN = /<[^>]*>|\*+|\{[^}]*\}|…/g;
const FILE = /^[\w<>*{}….-]+\.(?:ts|tsx|mjs|json|py|md)$/;

const globOf = (path: string): string => path.replaceAll(OPEN, '*').replace(/\/$/, '');

const isPath = (span: string): boolean =>
  /^[\w<>*{}…./-]+$/.test(span) && (FILE.test(span) || /^[\w.…-]+\/(?!\/)/.test(span));

const endsIn = (path: string, glob: string): boolean => {
  const pattern = glob.replaceAll(/[.+?^$()|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '[^/]*');
  return new RegExp(`(?:^|/)${pattern}(?:$|/)`).test(path);
};

/** Whether a path exists in the repository, complete or relative to any of its folders. */
const isThere = (span: string): boolean => {
  const glob = globOf(span);
  return OUTPUT.test(span) || PATHS.some((path) => endsIn(path, glob));
};

const unknownIn = (span: string): string[] => {
  if (isPath(span)) return isThere(span) || span.split('/').every((part) => KNOWN.has(part)) ? [] : [span];
  const closed = span.replaceAll(OPEN, ' ').replaceAll(/https?:\/\/\S+|"[^"]*"/g, ' ');
  const names = closed.match(/[A-Za-z_$][\w$]*(?:-[\w$]+)*/g) ?? [];
  return names.filter((name) => name.length > 2 && !KNOWN.has(name));
};

const spansOf = (markdown: string): string[] =>
  [...markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);

/** Backticked names that exist nowhere, and scripts that package.json does not have. */
const unknownNames = (markdown: string): string[] => [
  ...[...markdown.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)]
    .map(([, script]) => script!)
    .filter((script) => !SCRIPTS.has(script)),
  ...spansOf(markdown)
    .filter((span) => !span.startsWith('npm run '))
    .flatMap(unknownIn),
];

test.each(DOCUMENTS)('%s names only what exists', (path) => {
  expect(unknownNames(textOf(path))).toEqual([]);
});

test('a name that exists nowhere is found, in each of its forms', () => {
  const planted = [
    'Call `yieldTheTask` or `npm run vanish`, as `shared/gone/task.store.ts` and `gone-task.rules.ts` say;',
    'see `shared/gone/`, `shared/<capability>/gone.ts`, `worker-that-is-gone` and `GONE_SETTING=1`.',
    'These exist: `npm test`, `npm run -s token`, `resolveFailure`, `task-failure.ts`, `shared/scopes/<source>-<scope>.ts`,',
    '`events/<id>.<case>.json`, `dist/screenshots`, `DATA_DIR`, `dispatch-sync`, `WORK#<run>#<scope>`, `values/rut.ts`.',
  ].join('\n');
  expect(unknownNames(planted)).toEqual([
    'vanish',
    'yieldTheTask',
    'shared/gone/task.store.ts',
    'gone-task.rules.ts',
    'shared/gone/',
    'shared/<capability>/gone.ts',
    'worker-that-is-gone',
    'GONE_SETTING',
  ]);
});

/** The anchor that GitHub makes from a heading. */
const slugOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
const slugsOf = (markdown: string): Set<string> =>
  new Set([...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slugOf(heading!)));

/** Dead links of `markdown`, a page at `from`. */
const deadLinks = (markdown: string, from: string): string[] =>
  [...markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => {
      // The reference is generated into /docs, and absolute addresses belong to the service.
      if (/^(?:[a-z]+:|\/)/.test(link) || (from.startsWith('docs/guides/') && link.startsWith('reference')))
        return false;
      const [file = '', fragment] = link.split('#');
      const target = file === '' ? from : normalize(join(dirname(from), file));
      if (!existsSync(join(ROOT, target))) return true;
      return fragment !== undefined && target.endsWith('.md') && !slugsOf(textOf(target)).has(fragment);
    });

test('every link of every page leads to a file and a heading', () => {
  const pages = filesOf('*.md', '{dashboard,docs,shared,test,tools}/**/*.md');
  expect(pages.length).toBeGreaterThan(60);
  expect(pages.flatMap((page) => deadLinks(textOf(page), page).map((link) => `${page}: ${link}`))).toEqual([]);
});

test('a dead link is found', () => {
  const text =
    '[a](CONTRIBUTING.md#add-a-scope) [b](docs/gone.json) [c](CONTRIBUTING.md#gone) [d](https://example.com)';
  expect(deadLinks(text, 'README.md')).toEqual(['docs/gone.json', 'CONTRIBUTING.md#gone']);
});

test.each(filesOf('docs/adr/*.md'))('%s has the form of every ADR', (path) => {
  const text = textOf(path);
  const number = Number(basename(path).slice(0, 4));
  expect(text).toMatch(new RegExp(`^# ${number}\\. .+\\n\\nDate: \\d{4}-\\d\\d-\\d\\d\\. Status: accepted\\.`));
  expect(text.match(/^## .+$/gm)).toEqual(['## Context', '## Decision', '## Consequences']);
});

test('the README has at most 900 words outside code', () => {
  const words = textOf('README.md')
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .split(/\s+/)
    .filter(Boolean);
  expect(words.length).toBeLessThanOrEqual(900);
});
