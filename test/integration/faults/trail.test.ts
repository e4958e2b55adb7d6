/** A month in which every kind of change happens, under crashes, shows completely in `GET /audit`. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { AUDIT_ACTIONS } from '#shared/audit/audit.rules.ts';

const RUN = join(import.meta.dirname, '../../faults/run.ts');
/** Themes that together have every action. */
const THEMES = ['a month of changes', 'customers connect by links'];

test('no change is without its event, no event without its change, and the list shows all', async () => {
  const ended = await Promise.all(
    THEMES.map((theme) => promisify(execFile)(process.execPath, [RUN, '--theme', theme, '--histories', '400'])),
  );
  const stdout = ended.map((each) => each.stdout).join('\n');
  const count = (what: string) => Number(new RegExp(`\\b(\\d+) ${what}\\b`).exec(stdout)?.[1] ?? 0);
  const missing = AUDIT_ACTIONS.filter((action) => count(action) === 0);
  expect(missing, 'changes that no month has').toEqual([]);
  expect(Number(/^faults +(\d+)/m.exec(stdout)?.[1])).toBeGreaterThan(50);
  expect(stdout.match(/^violations {2}0$/gm)).toHaveLength(THEMES.length);
}, 60_000);
