/** Runs the protocol's published conformance suite against an address. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '#test/helpers/e2e-child.ts';
import type { Exception } from './exceptions.ts';

const PACKAGE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
const SUITE = join(dirname(PACKAGE), 'dist/index.js');
export const SUITE_VERSION = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;

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

export const runSuite = async (url: string, revision: string, exceptions: readonly Exception[]): Promise<SuiteRun> => {
  const folder = temporaryFolder();
  const [baseline, results] = [join(folder, 'baseline.yml'), join(folder, 'results')];
  writeFileSync(baseline, baselineOf(exceptions));
  const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', baseline, '-o', results];
  const { code, output } = await new Promise<{ code: number; output: string }>((done) => {
    execFile(process.execPath, [SUITE, ...args], { maxBuffer: AN_OUTPUT_BYTES }, (error, stdout, stderr) =>
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
  { issuer, clientId, resource, port }: AuthorizationTarget,
  allow: (address: string) => Promise<void>,
): Promise<SuiteRun> => {
  const results = join(temporaryFolder(), 'results');
  const target = ['--url', issuer, '--client-id', clientId, '--resource', resource, '--port', String(port)];
  const suite = spawn(process.execPath, [SUITE, 'authorization', ...target, '-o', results], {
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
