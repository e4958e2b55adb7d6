/** The repository's files as the house tests read them: text without comments, and the imports of each. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..', '..');

export interface Import {
  /** The text of the import. */
  specifier: string;
  /** File of the repository, by its relative path; null for a package or a module of Node. */
  file: string | null;
  /** Removed by the compiler before anything runs. */
  isType: boolean;
  line: number;
  statement: string;
}

export interface CodeFile {
  /** Relative to the repository, with slashes. */
  path: string;
  lines: number;
  /** Comments are replaced with blanks, so that offsets and line numbers stay valid. */
  code: string;
  imports: readonly Import[];
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** Strings come first, so that `https://` in a string does not begin a comment. */
const TOKENS =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|(?<![\\:/[(])\/\/[^\n]*|(?<=\(|\[)\/\/[^\n]*/g;

export const withoutComments = (text: string): string =>
  text.replaceAll(TOKENS, (token) => (token.startsWith('/') ? blank(token) : token));

const STATIC = /^(?:import|export)\b(?<type> type\b)?(?:[^;'"`]*?\bfrom)?\s*'(?<specifier>[^']+)'/gm;
const DYNAMIC = /\b(?:import|require)\(\s*['"`](?<specifier>[^'"`$]+)['"`]/g;

/** `#shared/x.ts` and `./x.ts` → path in the repository. */
export const resolveImport = (specifier: string, from: string): string | null => {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier)).replaceAll('\\', '/');
  return specifier.startsWith('#') ? specifier.slice(1) : null;
};

export const importsOf = (code: string, path: string): Import[] =>
  [STATIC, DYNAMIC].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => {
      const specifier = match.groups!.specifier!;
      return {
        specifier,
        file: resolveImport(specifier, path),
        isType: match.groups!.type !== undefined,
        line: code.slice(0, match.index).split('\n').length,
        statement: match[0].replaceAll(/\s+/g, ' '),
      };
    }),
  );

const FOLDERS = ['functions', 'infra', 'shared', 'test', 'tools', 'dashboard'];

let files: CodeFile[] | undefined;

/** Every TypeScript file of the repository. */
export const codeFiles = (): readonly CodeFile[] => {
  files ??= FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const code = withoutComments(text);
      return { path, lines: text.split('\n').length - 1, code, imports: importsOf(code, path) };
    });
  return files;
};

/** `path:line` of every match in the code of `files`. */
export const places = (pattern: RegExp, files: readonly CodeFile[]): string[] =>
  files.flatMap(({ path, code }) =>
    [...code.matchAll(pattern)].map(({ index, 0: text }) => {
      const line = code.slice(0, index).split('\n').length;
      return `${path}:${line} ${text.trim()}`;
    }),
  );
