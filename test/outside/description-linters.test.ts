/**
 * The linters of the description, as integrators run them: offline, in processes of their own. A linter that does not read
 * the description reports nothing, so each linter must also find the faults of a broken copy.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IS_WHOLE } from '#test/helpers/effort.ts';
import { installedProof } from '#tools/proofs/installed.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CONFIGURATION = join(ROOT, 'tools/proofs/linters');
const INSTALL_TIMEOUT_MS = 300_000;
const LINT_TIMEOUT_MS = 90_000;
const TEST_TIMEOUT_MS = LINT_TIMEOUT_MS + 10_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
/** Prevents every request to the network: telemetry, update checks and all others. */
const NOWHERE = 'http://127.0.0.1:9';
const OFFLINE = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
  NO_COLOR: '1',
};

interface Findings {
  exitCode: number;
  /** The broken rules, each once, sorted. */
  rules: string[];
}

let packages: string | undefined;
let reason: string | undefined;
beforeAll(async () => {
  ({ packages, reason } = await installedProof('linters'));
}, INSTALL_TIMEOUT_MS);

const outputOf = (name: string, args: readonly string[]): Promise<{ exitCode: number; stdout: string }> =>
  new Promise((resolve, reject) => {
    const program = join(packages!, '.bin', name);
    const options = { cwd: ROOT, env: { ...process.env, ...OFFLINE }, timeout: LINT_TIMEOUT_MS };
    const child = execFile(program, [...args], { ...options, maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout, stderr) => {
      // A missing or killed program gives no result.
      if (error && typeof error.code !== 'number') reject(new Error(`${name}: ${error.message} ${stderr}`));
      else resolve({ exitCode: child.exitCode ?? 0, stdout });
    });
  });

const found = (exitCode: number, rules: string[]): Findings => ({ exitCode, rules: [...new Set(rules)].sort() });

const redocly = async (path: string): Promise<Findings> => {
  const { exitCode, stdout } = await outputOf('redocly', [
    'lint',
    path,
    `--config=${CONFIGURATION}/redocly.yaml`,
    '--format=json',
  ]);
  const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    totals: { errors: number; warnings: number };
    problems: { ruleId: string }[];
  };
  expect(problems.length).toBe(totals.errors + totals.warnings);
  return found(
    exitCode,
    problems.map(({ ruleId }) => ruleId),
  );
};

const spectral = async (path: string): Promise<Findings> => {
  const ruleset = `--ruleset=${CONFIGURATION}/spectral.json`;
  const args = ['lint', path, ruleset, '--fail-severity=hint', '--format=json', '--quiet'];
  const { exitCode, stdout } = await outputOf('spectral', args);
  const problems = JSON.parse(stdout) as { code: string }[];
  return found(
    exitCode,
    problems.map(({ code }) => code),
  );
};

const LINTERS = { redocly, spectral };
const names = Object.keys(LINTERS) as (keyof typeof LINTERS)[];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'description-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A copy of the description without an operation's id, its answers and a tag's declaration. */
const brokenCopy = (): string => {
  const description = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'));
  delete description.paths['/connections'].get.operationId;
  description.paths['/connections'].get.responses = {};
  description.paths['/connections'].get.parameters = [{ name: 'id', in: 'path', schema: { type: 'string' } }];
  const path = join(folder, 'broken.json');
  writeFileSync(path, JSON.stringify(description));
  return path;
};

test.for(names)('%s has nothing to report', { timeout: TEST_TIMEOUT_MS }, async (name, { skip }) => {
  skip(packages === undefined, reason);
  expect(await LINTERS[name]('docs/openapi.json')).toEqual({ exitCode: 0, rules: [] });
});

// Seconds of a core for what changes with the linters alone.
test.runIf(IS_WHOLE).for([
  ['redocly', ['operation-4xx-response', 'operation-operationId']],
  ['spectral', ['operation-operationId', 'operation-success-response', 'path-params']],
] as const)('%s finds what is broken in a copy', { timeout: TEST_TIMEOUT_MS }, async ([name, rules], { skip }) => {
  skip(packages === undefined, reason);
  const findings = await LINTERS[name](brokenCopy());
  expect(findings.rules).toEqual(expect.arrayContaining([...rules]));
  expect(findings.exitCode).not.toBe(0);
});
