/** Names of the source: a type is declared once, and an exported function begins with a verb. */
import { describe, expect, it } from 'vitest';
import { type CodeFile, codeFiles } from './code-files.ts';

const SOURCE = /^(?:shared|functions|infra|tools)\//;
const TYPE = /^(?:export )?(?:interface|type|class) ([A-Z]\w*)/gm;

/** Types that exist once per source, with the same role in each: its session, the knobs and data of its sandbox. */
const PER_SOURCE = new Set([
  ...['OpenSession', 'ScopeReader'],
  ...['Behaviour', 'DataFault', 'Knobs', 'Ledger', 'MonthRequest', 'Session', 'Sessions', 'State'],
  ...['ListedAccount', 'SandboxAccount', 'SandboxMovement', 'PeriodTally'],
]);

const declaredTwice = (files: readonly CodeFile[]): string[] => {
  const places = Map.groupBy(
    files.flatMap(({ path, code }) => [...code.matchAll(TYPE)].map(([, name]) => ({ name: name!, path }))),
    ({ name }) => name,
  );
  return [...places]
    .filter(([name, found]) => new Set(found.map(({ path }) => path)).size > 1 && !PER_SOURCE.has(name))
    .map(([name, found]) => `${name}: ${found.map(({ path }) => path).join(', ')}`);
};

const ours = () => codeFiles().filter(({ path }) => SOURCE.test(path) && !/\.gen\.ts$/.test(path));
const file = (path: string, code: string): CodeFile => ({ path, lines: 1, code, imports: [] });

describe('names', () => {
  it('of types are declared once', () => {
    expect(ours().length).toBeGreaterThan(900);
    expect(declaredTwice(ours())).toEqual([]);
    expect(declaredTwice([file('a.ts', 'type Place = 1;'), file('b.ts', 'export interface Place {}')])).toHaveLength(1);
  });

  it('of exported functions do not end in Of', () => {
    const ofs = (files: readonly CodeFile[]) =>
      files.flatMap(({ path, code }) =>
        [...code.matchAll(/^export (?:const|(?:async )?function\*?) (\w+Of)\b/gm)].map(
          ([, name]) => `${path}: ${name}`,
        ),
      );
    expect(ofs(codeFiles().filter(({ path }) => /^(?:shared|functions|infra|tools|dashboard)\//.test(path)))).toEqual(
      [],
    );
    expect(ofs([file('a.ts', 'export const stateOf = () => 1;')])).toEqual(['a.ts: stateOf']);
  });
});
