/** Runs the protocol's published conformance suite against an address. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '#test/helpers/e2e-child.ts';
import { installedProof } from '#tools/proofs/installed.ts';
import type { Exception } from './exceptions.ts';

export interface Suite {
  program: string;
  version: string;
}

/** The suite, or the reason why it cannot be installed. */
export const installSuite = async (): Promise<{ suite?: Suite; reason?: string }> => {
  const { packages, reason } = await installedProof('conformance');
  if (packages === undefined) return { reason };
  const folder = join(packages, '@modelcontextprotocol/conformance');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { suite: { program: join(folder, 'dist/index.js'), version } };
};

export interface Check {
  id: string;
  /** SUCCESS, FAILURE, SKIPPED, … */
  status: string;
}

export interface Scenario {
  name: string;
  checks: Check[];
}

export interface SuiteRun {
  /** 0 if exactly the expected failures failed. */
  code: number;
  output: string;
  scenarios: Scenario[];
}

/** The suite's own format for expected failures; it fails if such an entry passes. */
const baselineOf = (exceptions: readonly Exception[]): string =>
  exceptions.length === 0 ? 'server: []\n' : `server:\n${exceptions.map(({ entry }) => `  - ${entry}\n`).join('')}`;

const FOLDER = /^(?:authorization-)?server-(?<name>.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/;

const readScenarios = (folder: string): Scenario[] =>
  readdirSync(folder)
    .sort()
    .map((name) => ({
      name: FOLDER.exec(name)!.groups!.name!,
      checks: JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
    }));

const AN_OUTPUT_BYTES = 64 * 1024 * 1024;

export const runSuite = async (
  { program }: Suite,
  url: string,
  revision: string,
  exceptions: readonly Exception[],
): Promise<SuiteRun> => {
  const folder = temporaryFolder();
  const [baseline, results] = [join(folder, 'baseline.yml'), join(folder, 'results')];
  writeFileSync(baseline, baselineOf(exceptions));
  const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', baseline, '-o', results];
  const { code, output } = await new Promise<{ code: number; output: string }>((done) => {
    execFile(process.execPath, [program, ...args], { maxBuffer: AN_OUTPUT_BYTES }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` }),
    );
  });
  return { code, output, scenarios: readScenarios(results) };
};

export interface AuthorizationTarget {
  issuer: string;
  clientId: string;
  resource: string;
  /** Port on which the suite waits for the person's answer. */
  port: number;
}

/**
 * The suite's scenarios for authorization servers.
 * @param allow does what a person does at the address: reads the request, and allows it
 */
export const runAuthorizationSuite = async (
  { program }: Suite,
  { issuer, clientId, resource, port }: AuthorizationTarget,
  allow: (address: string) => Promise<void>,
): Promise<SuiteRun> => {
  const results = join(temporaryFolder(), 'results');
  const target = ['--url', issuer, '--client-id', clientId, '--resource', resource, '--port', String(port)];
  const suite = spawn(process.execPath, [program, 'authorization', ...target, '-o', results], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(suite, 'close') as Promise<[number | null]>;
  const lines: string[] = [];
  try {
    for await (const line of createInterface(suite.stdout)) {
      lines.push(line);
      if (line.startsWith(`${issuer}/authorize?`)) await allow(line);
    }
  } catch (error) {
    suite.kill();
    throw error;
  }
  const [code] = await ended;
  return { code: code ?? 1, output: lines.join('\n'), scenarios: readScenarios(results) };
};
