/**
 * `npm run fuzz`: schemathesis with all checks against the local stack on a data folder of its own, once with each kind of
 * credential and once without. `--cases N` cases in all (20,000), `--short` as many as fit into three minutes,
 * `--only key|access-token|session|none`, `--seed N`. Ends with 1 when anything failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withStack } from '#infra/local/demo/with-stack.ts';
import type { StackFile } from '#infra/local/seed.ts';
import { fuzzer } from './venv.ts';
import { makeWorld, type World } from './world.ts';

const CASES = 20_000;
const SHORT_CASES = 1_200;
const SHORT_SECONDS = 25;
const PHASES = 'examples,coverage,fuzzing,stateful';
const SHORT_PHASES = 'examples,fuzzing,stateful';

const { values } = parseArgs({
  options: {
    cases: { type: 'string' },
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string' },
  },
});

const HEADERS: Record<string, (stack: StackFile) => string[]> = {
  key: ({ api_key }) => ['--header', `Authorization: Bearer ${api_key}`],
  'access-token': ({ access_token }) => ['--header', `Authorization: Bearer ${access_token}`],
  session: ({ session }) => ['--header', `Cookie: sb-access-token=${session}`],
  none: () => [],
};

const operationsOf = async (stack: StackFile): Promise<number> => {
  const { paths } = (await (await fetch(`${stack.api}/openapi.json`)).json()) as { paths: Record<string, object> };
  return Object.values(paths).reduce((sum, path) => sum + Object.keys(path).length, 0);
};

interface Report {
  test_cases: { generated: number };
}

const casesIn = (path: string): number => (JSON.parse(readFileSync(path, 'utf8')) as Report).test_cases.generated;

const fuzzAs = async (
  kind: string,
  program: string,
  stack: StackFile,
  world: World,
  examples: number,
): Promise<{ code: number; cases: number }> => {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-report-'));
  const report = join(folder, 'report.json');
  const child = spawn(
    program,
    [
      ...['run', `${stack.api}/openapi.json`, '--checks', 'all', '--phases', values.short ? SHORT_PHASES : PHASES],
      ...['--max-examples', String(examples), '--continue-on-failure', '--suppress-health-check', 'all'],
      ...(values.short ? ['--max-time', String(SHORT_SECONDS)] : []),
      ...(values.seed ? ['--seed', values.seed] : []),
      ...[
        '--generation-database',
        'none',
        '--no-color',
        '--warnings',
        'off',
        '--generation-with-security-parameters',
        'false',
        '--report-json-path',
        report,
      ],
      ...HEADERS[kind]!(stack),
    ],
    {
      cwd: folder,
      stdio: 'inherit',
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'hooks.py'),
        FUZZ_WORLD: JSON.stringify(world),
        PYTHONDONTWRITEBYTECODE: '1',
      },
    },
  );
  const [code] = (await once(child, 'exit')) as [number];
  const cases = casesIn(report);
  rmSync(folder, { recursive: true });
  return { code, cases };
};

const found = await fuzzer();
if (found.program === undefined) {
  console.log(`skipped: ${found.reason}`);
  process.exit(0);
}
const dataFolder = mkdtempSync(join(tmpdir(), 'fuzz-data-'));
try {
  process.env.PORT = '0';
  const results = await withStack(dataFolder, async (stack) => {
    const world = await makeWorld(stack);
    const kinds = Object.keys(HEADERS).filter((kind) => values.only === undefined || kind === values.only);
    const cases = Number(values.cases ?? (values.short ? SHORT_CASES : CASES));
    const examples = Math.max(1, Math.round(cases / kinds.length / (await operationsOf(stack))));
    const all = [];
    for (const kind of kinds) {
      console.log(`\ncredential     ${kind}`);
      all.push({ kind, ...(await fuzzAs(kind, found.program, stack, world, examples)) });
    }
    return all;
  });
  for (const { kind, code, cases } of results)
    console.log(`${kind.padEnd(14)} ${cases} cases, ${code === 0 ? 'no failure' : 'FAILED'}`);
  const total = results.reduce((sum, { cases }) => sum + cases, 0);
  console.log(`${'fuzz'.padEnd(14)} ${total} cases in all`);
  process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}
