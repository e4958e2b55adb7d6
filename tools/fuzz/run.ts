/**
 * `npm run fuzz`: runs schemathesis with all checks against a local stack with its own data folder, once with each kind
 * of credential and once without a credential. The exit code is 1 when anything failed; it is 0, with a line `skipped:
 * …`, when the fuzzer cannot be installed. Options: `--cases N` for at least this many cases in total (default 20,000),
 * `--short` for the cases that fit into three minutes, `--only key|access-token|session|none`, `--sources tax,bankone`
 * to connect only these sources, `--seed N` to replay a run.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withStack } from '#tools/local/demo/with-stack.ts';
import type { StackFile } from '#tools/local/stack-file.ts';
import { installedOrSkipped } from '#tools/python/venv.ts';
import { CREDENTIALS, type FuzzOutcome, fuzzAs } from './schemathesis.ts';
import { makeWorld } from './world.ts';

const CASES = 20_000;
/**
 * Share of the cases that the fuzzing phase generates. The coverage phase generates the other cases, about 2,500 per
 * credential, even when fewer cases are requested.
 */
const FUZZED_SHARE = 0.75;
const SHORT_EXAMPLES = 4;
/** Seconds from the start of the program to the end of the last run in short mode, including the start of the stack. */
const SHORT_SECONDS = 150;
/**
 * A short run connects only this source. All five sources would take a minute, because institutions allow few sessions
 * at a time.
 */
const SHORT_SOURCES = 'tax';
const RUN_SECONDS_MIN = 15;
const PHASES = 'examples,coverage,fuzzing,stateful';
/** A short run omits the coverage phase, which would use all of the time; the fuzzing phase already sends examples. */
const SHORT_PHASES = 'fuzzing,stateful';
const SEED_MAX = 2 ** 32;

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: String(CASES) },
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    sources: { type: 'string' },
    seed: { type: 'string', default: String(randomInt(SEED_MAX)) },
  },
});

const credentials = Object.keys(CREDENTIALS).filter((kind) => values.only === undefined || kind === values.only);
if (credentials.length === 0) throw new Error(`--only must be one of ${Object.keys(CREDENTIALS).join(', ')}`);

const secondsSinceStart = (): number => performance.now() / 1000;

/** Returns the seconds for the next run: in short mode an equal share of the remaining time, otherwise no limit. */
const secondsFor = (runsLeft: number): number | undefined =>
  values.short ? Math.max(RUN_SECONDS_MIN, Math.floor((SHORT_SECONDS - secondsSinceStart()) / runsLeft)) : undefined;

const operationsOf = async (stack: StackFile): Promise<number> => {
  const { paths } = (await (await fetch(`${stack.api}/openapi.json`)).json()) as { paths: Record<string, object> };
  return Object.values(paths).reduce((sum, path) => sum + Object.keys(path).length, 0);
};

const fuzzAll = async (program: string, stack: StackFile): Promise<FuzzOutcome[]> => {
  const world = await makeWorld(stack, (values.sources ?? (values.short ? SHORT_SOURCES : undefined))?.split(','));
  const operations = await operationsOf(stack);
  const outcomes: FuzzOutcome[] = [];
  for (const [at, credential] of credentials.entries()) {
    console.log(`\ncredential     ${credential}`);
    const examples = values.short
      ? SHORT_EXAMPLES
      : Math.max(1, Math.ceil((FUZZED_SHARE * Number(values.cases)) / credentials.length / operations));
    const phases = values.short ? SHORT_PHASES : PHASES;
    const seconds = secondsFor(credentials.length - at);
    outcomes.push(await fuzzAs({ program, stack, world, credential, phases, examples, seconds, seed: values.seed }));
  }
  return outcomes;
};

const line = (name: string, cases: number, failures: number, isClean: boolean): string =>
  `${name.padEnd(14)} ${cases} cases, ${isClean ? 'no failure' : `FAILED (${failures} different failures)`}`;

const programs = await installedOrSkipped('.venv-fuzz', join(import.meta.dirname, 'requirements.txt'));
const dataFolder = mkdtempSync(join(tmpdir(), 'fuzz-data-'));
try {
  process.env.PORT = '0';
  const outcomes = await withStack(dataFolder, (stack) => fuzzAll(join(programs, 'schemathesis'), stack));
  console.log('');
  for (const { credential, cases, failures, isClean } of outcomes)
    console.log(line(credential, cases, failures, isClean));
  const total = (of: 'cases' | 'failures') => outcomes.reduce((sum, outcome) => sum + outcome[of], 0);
  const isClean = total('cases') > 0 && outcomes.every((outcome) => outcome.isClean);
  console.log(line('fuzz', total('cases'), total('failures'), isClean));
  console.log(`seed           ${values.seed}: --seed ${values.seed} with the same options replays this run`);
  console.log(`time           ${Math.round(secondsSinceStart())} s`);
  process.exitCode = isClean ? 0 : 1;
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}
