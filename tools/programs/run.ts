/**
 * `npm run programs`: agent libraries and clients of others, each pinned, against a local stack with data. Each finds
 * all tools and reads the months of a connection. Ends with 1 when one fails; a program that this machine cannot install
 * is left out. Options: `--only <part of a name>`; `--write` writes the results into docs/mcp-conformance.md.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LISTED_TOOLS } from '#shared/mcp/listed-tool.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { CannotHave, runProgram } from '#tools/clients/run-program.ts';
import { allowWith } from '#tools/local/demo/agent-application.ts';
import { connect, synchronize } from '#tools/local/demo/steps.ts';
import { withStack } from '#tools/local/demo/with-stack.ts';
import type { StackFile } from '#tools/local/stack-file.ts';
import { installProgram, readVersion } from './install-program.ts';
import { type ForeignProgram, PROGRAMS } from './programs.ts';
import { type ProgramResult, withResults } from './results-page.ts';
import { runApplication } from './run-application.ts';

const PAGE = join(import.meta.dirname, '../../docs/mcp-conformance.md');
const MONTH = '2026-10';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, write: { type: 'boolean', default: false } },
});

interface ProgramWorld {
  stack: StackFile;
  connection: string;
}

const makeWorld = async (stack: StackFile): Promise<ProgramWorld> => {
  const connection = await connect(stack, 'tax', ['rcv']);
  const run = await synchronize(stack, connection, () => {}, { periods: [MONTH] });
  if (run.status !== 'succeeded') throw new Error(`the sync ended ${run.status}`);
  return { stack, connection };
};

const printedBy = async (program: ForeignProgram, { stack, connection }: ProgramWorld): Promise<string> => {
  const startable = await installProgram(program);
  const address = `${stack.api}/mcp`;
  const environment = { CONNECTION: connection, TOKEN: stack.access_token, ADDRESS: address };
  if (!program.signsIn) return runProgram({ ...startable, environment });
  const local = { CONNECTION: connection, TOKEN: '', ADDRESS: address.replace('127.0.0.1', 'localhost') };
  return runApplication({ ...startable, environment: local, hears: 'listens' }, allowWith(stack));
};

const tools = JSON.stringify(LISTED_TOOLS.map(({ name }) => name).sort());

/** Returns what is wrong with the program's answer; undefined if it found every tool and the synchronized month. */
const findFault = (printed: string): string | undefined => {
  const answer = JSON.parse(/^answer (.+)$/m.exec(printed)?.[1] ?? '{}') as { tools?: string[]; called?: string };
  if (JSON.stringify(answer.tools) !== tools) return `it found the tools ${answer.tools}`;
  return answer.called?.includes(MONTH) ? undefined : `the call answered ${answer.called}`;
};

const tryProgram = async (program: ForeignProgram, world: ProgramWorld): Promise<ProgramResult> => {
  const { name, does } = program;
  const about = { name, version: readVersion(program), does };
  try {
    const fault = findFault(await printedBy(program, world));
    return { ...about, outcome: fault === undefined ? 'passed' : `FAILED: ${fault}` };
  } catch (error) {
    const { message } = error as Error;
    return { ...about, outcome: `${error instanceof CannotHave ? 'left out' : 'FAILED'}: ${message}` };
  }
};

const chosen = PROGRAMS.filter(({ name }) => name.includes(values.only));
if (chosen.length === 0) throw new Error(`--only must be part of: ${PROGRAMS.map(({ name }) => name).join(', ')}`);
const dataFolder = mkdtempSync(join(tmpdir(), 'programs-data-'));
try {
  process.env.PORT = '0';
  const results = await withStack(dataFolder, async (stack) => {
    const world = await makeWorld(stack);
    const all: ProgramResult[] = [];
    for (const program of chosen) {
      const result = await tryProgram(program, world);
      console.log(`${`${result.name} ${result.version}`.padEnd(32)} ${result.outcome}`);
      all.push(result);
    }
    return all;
  });
  if (values.write) writeFileSync(PAGE, withResults(readFileSync(PAGE, 'utf8'), results, nowIso().slice(0, 10)));
  process.exitCode = results.some(({ outcome }) => outcome.startsWith('FAILED')) ? 1 : 0;
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}
