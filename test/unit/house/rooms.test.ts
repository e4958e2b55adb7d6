/** The rooms inside `shared/rows` and `shared/sync`: a file imports its own room and the rooms below it, types included. */
import { describe, expect, it } from 'vitest';
import { type CodeFile, codeFiles, importsOf } from './code-files.ts';

/** From the bottom up. Files directly in the folder have their own position in the order, as `name.ts`. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'shared/rows': ['limits.ts', 'item', 'index', 'write', 'read'],
  'shared/sync': [
    'limits.ts',
    'run.rules.ts',
    'task',
    'run',
    'progress.ts',
    'login',
    'coverage',
    'end',
    'reading',
    'task-failure.ts',
    'apply-resolution.ts',
    'run-task.ts',
    'scope-worker.ts',
    'start-run.ts',
    'scheduled-run.ts',
  ],
};

const roomOf = (folder: string, path: string): string => path.slice(folder.length + 1).split('/')[0]!;

const upward = (files: readonly CodeFile[]): string[] =>
  Object.entries(ROOMS).flatMap(([folder, rooms]) =>
    files
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ file }) => file?.startsWith(`${folder}/`))
          .filter(({ file }) => rooms.indexOf(roomOf(folder, file!)) > rooms.indexOf(roomOf(folder, path)))
          .map(({ file }) => `${path} imports ${file}`),
      ),
  );

describe('rooms', () => {
  it('are all named', () => {
    const unnamed = Object.entries(ROOMS).flatMap(([folder, rooms]) =>
      codeFiles()
        .filter(({ path }) => path.startsWith(`${folder}/`))
        .filter(({ path }) => !rooms.includes(roomOf(folder, path)))
        .map(({ path }) => path),
    );
    expect(unnamed).toEqual([]);
  });

  it('have no arrow upward', () => {
    expect(upward(codeFiles())).toEqual([]);
  });

  it('are seen with their arrows', () => {
    const arrows = codeFiles().filter(({ path }) => /^shared\/(rows|sync)\//.test(path));
    expect(arrows.flatMap(({ imports }) => imports).length).toBeGreaterThan(500);
    const code = "import type { Page } from '#shared/rows/read/row-page.ts';";
    const planted = {
      path: 'shared/rows/item/a.ts',
      lines: 1,
      code,
      imports: importsOf(code, 'shared/rows/item/a.ts'),
    };
    expect(upward([planted])).toEqual(['shared/rows/item/a.ts imports shared/rows/read/row-page.ts']);
  });
});
