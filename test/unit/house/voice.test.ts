/**
 * Habits of language that make comments and documents hard to read, counted per folder. A count may fall, never rise:
 * `VOICE=write npx vitest run --project unit test/unit/house/voice.test.ts` stores counts that fell.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './code-files.ts';

const HABITS: Readonly<Record<string, RegExp>> = {
  told: /\b(?:tells?|told)\b/i,
  whoever: /\b(?:whoever|whatever|whichever|wherever)\b/i,
  of: /(?:^|[.:] )Of (?:a|an|the|its|what|these|one|whom|ours|another|all|each)\b/,
  stands: /\b(?:befall|befell|befallen|stands?|lies?)\b/i,
  none: /\b(?:is none|has none|are none)\b/i,
  anew: /\banew\b/i,
  'in place of': /\bin place of\b/i,
  question: /\?\s*$|\? [A-Z]/,
  kept: /\b(?:kept|keeps?)\b/i,
  beside: /\bbeside\b/i,
  'of before': /\b(?:of|from) before\b|\bof then\b/i,
  alone: /\b\w+ alone\b/i,
  too: /, too\b/i,
};

/** Per 100 comments of the source without tests. The highest counts of eight model codebases, with a margin for some. */
const SOURCE_MAX = { told: 0.6, whoever: 0.4, of: 0.2, stands: 0.5, none: 0.2, anew: 0, question: 0.5 };
/** Per 1,000 words of a page. */
const PAGE_TOLD_MAX = 1;

const RATES_FILE = join(ROOT, 'test/unit/house/voice-rates.json');

const isSource = (path: string): boolean =>
  /^(?:shared|functions|infra|tools|dashboard\/src|test)\/.*\.(?:ts|tsx|mjs|py)$/.test(path) && !/\.gen\./.test(path);
/** Pages that a program writes from code are counted where their text is. */
const isPage = (path: string): boolean =>
  /\.md$/.test(path) && !/mcp-conformance|permissions|sandbox-credentials/.test(path);

const commentsIn = (text: string): string[] => {
  const blocks = [...text.matchAll(/\/\*\*?([\s\S]*?)\*\//g)].map(([, body]) =>
    body!.replaceAll(/\n\s*\* ?/g, ' ').trim(),
  );
  const runs: string[] = [];
  let isRun = false;
  for (const line of text.split('\n')) {
    const [, comment] = /^\s*(?:\/\/|#) ?(.*)$/.exec(line) ?? [];
    if (comment !== undefined && isRun) runs.push(`${runs.pop()} ${comment}`);
    else if (comment !== undefined) runs.push(comment);
    isRun = comment !== undefined;
  }
  return [...blocks, ...runs];
};

const linesIn = (text: string): string[] => text.replaceAll(/```[\s\S]*?```/g, '').split('\n');

interface Counts {
  /** 100 comments, or 1,000 words of a page, are the unit of a rate. */
  units: number;
  hits: Record<string, number>;
}

const count = (pieces: readonly string[], units: number): Counts => ({
  units,
  hits: Object.fromEntries(
    Object.entries(HABITS).map(([name, habit]) => [name, pieces.filter((piece) => habit.test(piece)).length]),
  ),
});

const wordsOf = (lines: readonly string[]): number => lines.join(' ').split(/\s+/).filter(Boolean).length;

const folderOf = (path: string): string =>
  path
    .split('/')
    .slice(0, /^(?:shared|test)\//.test(path) ? 2 : 1)
    .join('/');

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8', cwd: ROOT }).trim().split('\n');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const source = Map.groupBy(tracked.filter(isSource), folderOf);
const folders: Record<string, Counts> = Object.fromEntries(
  [...source].map(([folder, paths]) => {
    const comments = paths.flatMap((path) => commentsIn(read(path)));
    return [folder, count(comments, comments.length / 100)];
  }),
);
const pages: Record<string, Counts> = Object.fromEntries(
  tracked.filter(isPage).map((path) => {
    const lines = linesIn(read(path));
    return [path, count(lines, wordsOf(lines) / 1000)];
  }),
);

type Rates = Record<string, Record<string, number>>;
const stored = JSON.parse(read('test/unit/house/voice-rates.json')) as Rates;
const WRITES = process.env.VOICE === 'write';

/** A rate may not rise by a whole hit: a deleted comment changes the rate of the others a little. */
const risen = (place: string, { units, hits }: Counts): string[] =>
  Object.entries(hits)
    .filter(([name, found]) => found > Math.ceil((stored[place]?.[name] ?? 0) * units - 1e-9))
    .map(([name, found]) => `${place}: ${name} ${(found / units).toFixed(2)} above ${stored[place]?.[name] ?? 0}`);

const everywhere = { ...folders, ...pages };

if (WRITES) {
  const lower = (place: string, { units, hits }: Counts) =>
    Object.entries(hits)
      .map(([name, found]) => [name, Math.round((found / units) * 100) / 100] as const)
      .map(([name, rate]) => [name, Math.min(rate, stored[place]?.[name] ?? rate)] as const)
      .filter(([, rate]) => rate > 0);
  const rates = Object.fromEntries(
    Object.entries(everywhere)
      .map(([place, counts]) => [place, Object.fromEntries(lower(place, counts))] as const)
      .filter(([, own]) => Object.keys(own).length > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  writeFileSync(RATES_FILE, `${JSON.stringify(rates, null, 2)}\n`);
}

describe.skipIf(WRITES)('voice', () => {
  it('counts what it should', () => {
    const planted = '/** Of the month. Whoever is told. */\nconst a = 1; // not a line\n  // it lies\n  // anew, too\n';
    expect(commentsIn(planted)).toEqual(['Of the month. Whoever is told.', 'it lies anew, too']);
    const { hits } = count(commentsIn(planted), 1);
    expect(hits).toMatchObject({ told: 1, whoever: 1, of: 1, stands: 1, anew: 1, too: 1, question: 0 });
    expect(risen('nowhere', count(['it is told'], 1))).toEqual(['nowhere: told 1.00 above 0']);
  });

  it('rises in no folder and on no page', () => {
    expect(Object.keys(folders).length).toBeGreaterThan(20);
    expect(Object.entries(everywhere).flatMap(([place, counts]) => risen(place, counts))).toEqual([]);
  });

  it('of the source stays near that of the model codebases', () => {
    const own = Object.entries(folders).filter(([folder]) => !folder.startsWith('test'));
    const units = own.reduce((sum, [, counts]) => sum + counts.units, 0);
    for (const [name, most] of Object.entries(SOURCE_MAX)) {
      const hits = own.reduce((sum, [, counts]) => sum + counts.hits[name]!, 0);
      expect(hits / units, name).toBeLessThanOrEqual(most);
    }
  });

  it.each(Object.keys(pages))('of %s reports, sends and returns', (path) => {
    const { units, hits } = pages[path]!;
    expect(hits.told! / units).toBeLessThan(PAGE_TOLD_MAX);
  });
});
