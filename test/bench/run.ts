/**
 * `npm run bench`: every part, one after the other, then the table with "reached" or "missed", and JSON in
 * dist/bench. Ends with 1 when a line is missed or a part broke.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PARTS, type Part } from './parts.ts';
import { keepResult, type Line, machine, printLines, resultsFolder } from './report.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    small: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const total = PARTS.reduce((sum, { minutes }) => sum + minutes, 0);

const HELP = `npm run bench [-- --only 1,2] [-- --small]

Measures the lines of the table in docs/performance.md against its floor in the same run, on the real SDK and the real
table engine, and leaves the figures in dist/bench. On two quiet cores some ${Math.ceil(total)} minutes:

${PARTS.map(({ lines, minutes, what }) => `  ${`lines ${lines.join(', ')}`.padEnd(14)} ${String(minutes).padStart(4)} min  ${what}`).join('\n')}

  --only 1,2   the parts that measure these lines; the other files in dist/bench stay as they are
  --small      small sizes, to see whether everything runs; the figures say nothing`;

const folder = resultsFolder();

/** A line without a measurement because its part broke. */
const broken = ({ lines, what }: Part): Line[] =>
  lines.map((line) => ({ line, measure: what, figure: 'broke', toReach: '', reached: false }));

const measure = async (part: Part): Promise<Line[]> => {
  const file = join(folder, `${part.name}.json`);
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  console.log(`\n${part.name}: lines ${part.lines.join(', ')}, some ${part.minutes} min`);
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, part.script), ...(values.small ? part.small : part.full)],
    {
      stdio: 'inherit',
      env: { ...process.env, BENCH_RESULTS: folder },
    },
  );
  const [code] = await once(child, 'exit');
  const now = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  // A part ends with 1 both when a line is missed and when it broke: only in the first case there is a new result.
  if (now === undefined || now === kept) {
    console.error(`${part.name} broke: it ended with ${code} and left no result`);
    return broken(part);
  }
  return (JSON.parse(now) as { lines: Line[] }).lines;
};

const run = async (): Promise<void> => {
  const wanted = values.only?.split(',').map(Number);
  const parts = PARTS.filter(({ lines }) => wanted === undefined || lines.some((line) => wanted.includes(line)));
  if (parts.length === 0) throw new Error(`no part measures line ${values.only}`);
  const begun = { at: new Date().toISOString(), machine: machine() };
  const lines: Line[] = [];
  for (const part of parts) lines.push(...(await measure(part)));
  console.log(`\n${lines.filter(({ reached }) => reached).length} of ${lines.length} figures reached`);
  printLines(lines);
  // Some of the lines are no summary of all.
  if (parts.length === PARTS.length) keepResult('summary', { ...begun, until: new Date().toISOString(), lines });
  process.exitCode = lines.every(({ reached }) => reached) ? 0 : 1;
};

if (values.help) console.log(HELP);
else await run();
