/**
 * `npm run clients`: generates a client from docs/openapi.json with each generator, compiles it, and runs one story
 * (docs/examples/clients) with it against a local stack. Ends with 1 when a client lacks an operation, or when its
 * story has another result than expected. Generators that are not available on this machine are skipped and listed.
 * Option: `--only <part of a name>`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, synchronize } from '#tools/local/demo/steps.ts';
import { withStack } from '#tools/local/demo/with-stack.ts';
import type { StackFile } from '#tools/local/stack-file.ts';
import { type ClientGenerator, type Command, GENERATORS } from './generators.ts';
import { CannotHave, runProgram } from './run-program.ts';
import { TOOLS } from './tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLIENTS = join(ROOT, '.venv-clients/npm/clients');
const MONTH = '2026-10';
const UNKNOWN = '4f9d3c52-7a1e-4b60-9c8d-000000000d1b';
const HOOK = 'https://example.com/webhooks';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const operationIds = (): string[] => {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  return Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
};

interface ClientWorld {
  environment: Record<string, string>;
  /** The output that the story must print. */
  expected: Record<string, unknown>;
}

const worldOf = async (stack: StackFile): Promise<ClientWorld> => {
  const connection = await connect(stack, 'tax', ['rcv']);
  const run = await synchronize(stack, connection, () => {}, { periods: [MONTH] });
  if (run.status !== 'succeeded') throw new Error(`the sync ended ${run.status}`);
  return {
    environment: { API: stack.api, API_KEY: stack.api_key, CONNECTION: connection, HOOK, UNKNOWN },
    expected: {
      name: 'Demo tax',
      rows: 5,
      total: run.records_found,
      refused: [400, 'validation_error'],
      unknown: [404, 'connection_not_found'],
      secret: 'whsec_',
    },
  };
};

/**
 * Returns the command with the path of the virtual environment's Python if its program is `python`; returns any other
 * command unchanged.
 */
const withPython = async (command: Command): Promise<Command> =>
  command.program === 'python' ? { ...command, program: join(await TOOLS.python(), 'python') } : command;

const sorted = (value: Record<string, unknown>): string => JSON.stringify(value, Object.keys(value).sort());

/**
 * Generates, compiles and runs one client.
 * @returns faults; empty when the client is complete and its story had the expected result
 */
const tryGenerator = async (generator: ClientGenerator, { environment, expected }: ClientWorld): Promise<string[]> => {
  const folder = join(CLIENTS, plain(generator.name));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await generator.make(folder, TOOLS);
  const made = new Set(generator.operationsIn(folder).map(plain));
  const lost = operationIds().filter((id) => !made.has(plain(id)));
  const told = JSON.parse(await runProgram({ ...(await withPython(generator.story(folder))), environment }));
  return [
    ...(lost.length > 0 ? [`lost operations: ${lost.join(', ')}`] : []),
    ...(sorted(told) === sorted(expected) ? [] : [`the story reported ${sorted(told)}, not ${sorted(expected)}`]),
  ];
};

type ClientOutcome = 'passed' | 'failed' | 'left out';

const judge = async (generator: ClientGenerator, world: ClientWorld): Promise<ClientOutcome> => {
  const started = performance.now();
  const tell = (outcome: string) => console.log(`${generator.name.padEnd(26)} ${outcome}`);
  try {
    const faults = await tryGenerator(generator, world);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    tell(
      faults.length > 0
        ? `FAILED: ${faults.join('; ')}`
        : `all ${operationIds().length} operations, story passed, ${seconds} s`,
    );
    return faults.length > 0 ? 'failed' : 'passed';
  } catch (error) {
    const isMissing = error instanceof CannotHave;
    tell(`${isMissing ? 'left out' : 'FAILED'}: ${(error as Error).message}`);
    return isMissing ? 'left out' : 'failed';
  }
};

const chosen = GENERATORS.filter(({ name }) => plain(name).includes(plain(values.only)));
if (chosen.length === 0) throw new Error(`--only must be part of: ${GENERATORS.map(({ name }) => name).join('; ')}`);
const dataFolder = mkdtempSync(join(tmpdir(), 'clients-data-'));
try {
  process.env.PORT = '0';
  const outcomes = await withStack(dataFolder, async (stack) => {
    const world = await worldOf(stack);
    const all: ClientOutcome[] = [];
    for (const generator of chosen) all.push(await judge(generator, world));
    return all;
  });
  if (outcomes.every((outcome) => outcome === 'left out')) console.log('skipped: no generator is available here');
  process.exitCode = outcomes.includes('failed') ? 1 : 0;
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}
