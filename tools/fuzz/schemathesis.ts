/** One run of schemathesis with all checks and one credential. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StackFile } from '#tools/local/stack-file.ts';
import type { FuzzWorld } from './world.ts';

/**
 * Arguments with the headers of every request. For some requests schemathesis omits the credential, to check that the
 * API requires it.
 */
export const CREDENTIALS: Readonly<Record<string, (stack: StackFile) => string[]>> = {
  key: ({ api_key }) => ['--header', `Authorization: Bearer ${api_key}`],
  'access-token': ({ access_token }) => ['--header', `Authorization: Bearer ${access_token}`],
  session: ({ session }) => ['--header', `Cookie: sb-access-token=${session}`],
  none: () => [],
};

export interface FuzzPlan {
  program: string;
  stack: StackFile;
  world: FuzzWorld;
  credential: string;
  phases: string;
  /** Highest number of generated cases per operation and phase. */
  examples: number;
  /** Seconds after which the run ends, even if not all cases were sent. */
  seconds?: number | undefined;
  seed: string;
}

export interface FuzzOutcome {
  credential: string;
  /** Number of requests whose responses were checked. */
  cases: number;
  failures: number;
  isClean: boolean;
}

interface FuzzReport {
  stop_reason: string;
  /**
   * `without_checks` is the number of requests that a check itself sent for comparison; their responses were not
   * checked.
   */
  test_cases: { generated: number; without_checks: number; unique_failures: number; errored: number };
}

/**
 * Timeout of a request. The gateway answers after at most 30 s, so a request that takes longer hangs. With a lower
 * limit, schemathesis would report slow machines.
 */
const ANSWER_SECONDS_MAX = 30;
const QUIET = ['--no-color', '--warnings', 'off'];
/** Without the database of earlier runs, only the seed determines a run, so the seed is enough to replay it. */
const REPEATABLE = ['--generation-database', 'none', '--suppress-health-check', 'all'];

const outcomeOf = ({ credential }: FuzzPlan, code: number | null, reportPath: string): FuzzOutcome => {
  if (!existsSync(reportPath)) return { credential, cases: 0, failures: 0, isClean: false };
  const { stop_reason, test_cases: counts } = JSON.parse(readFileSync(reportPath, 'utf8')) as FuzzReport;
  const cases = counts.generated - counts.without_checks;
  const failures = counts.unique_failures + counts.errored;
  // A run without cases is only a success if it ended because its time was over. The caller checks the total number of
  // cases of all runs.
  const isClean = code === 0 && failures === 0 && (cases > 0 || stop_reason === 'max_time');
  return { credential, cases, failures, isClean };
};

export const fuzzAs = async (plan: FuzzPlan): Promise<FuzzOutcome> => {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-report-'));
  const report = join(folder, 'report.json');
  try {
    const child = spawn(
      plan.program,
      [
        ...['run', `${plan.stack.api}/openapi.json`, '--checks', 'all', '--phases', plan.phases],
        ...['--max-examples', String(plan.examples), '--seed', plan.seed, '--continue-on-failure'],
        ...['--request-timeout', String(ANSWER_SECONDS_MAX), '--max-response-time', String(ANSWER_SECONDS_MAX)],
        ...(plan.seconds === undefined ? [] : ['--max-time', String(plan.seconds)]),
        // schemathesis must not generate credentials: the API answers an invalid credential with 401, so such a request
        // tests nothing else.
        ...['--generation-with-security-parameters', 'false', '--report-json-path', report],
        ...[...REPEATABLE, ...QUIET, ...CREDENTIALS[plan.credential]!(plan.stack)],
      ],
      {
        cwd: folder,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: {
          ...process.env,
          SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'hooks.py'),
          FUZZ_WORLD: JSON.stringify(plan.world),
          PYTHONDONTWRITEBYTECODE: '1',
        },
      },
    );
    const [code] = (await once(child, 'exit')) as [number | null];
    return outcomeOf(plan, code, report);
  } finally {
    rmSync(folder, { recursive: true });
  }
};
