/**
 * Deploys a stage to the emulator, and rolls it back if necessary, with the operator's own code and the CDK's command
 * line. The addresses in the stack outputs do not resolve, so requests go through origins on loopback, which are opened
 * at the first deploy.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoopbackServer } from '#tools/local/loopback-server.ts';
import { type DeployOutcome, deployStage } from '#tools/operations/deploy-stage.ts';
import { openAssemblyFolder } from '#tools/operations/kept-assembly.ts';
import { readLastChanges } from '#tools/operations/last-changes.ts';
import { protectStacks } from '#tools/operations/protect-stacks.ts';
import { type Addresses, checkDomain, smokeTest } from '#tools/operations/smoke-test.ts';
import type { Cdk } from './cdk.ts';
import { type Distribution, readDistribution } from './distribution.ts';
import { letReadWithoutTls, openEdge } from './edge.ts';
import { type DeployedFront, openFront } from './front.ts';

/** Pause between two attempts of the smoke test. It is short, because the emulator serves a new deploy at once. */
const PAUSE_MS = 100;

export interface StageDoors {
  front: DeployedFront;
  edge: LoopbackServer;
  distribution: Distribution;
  /** Addresses from the stack outputs. */
  addresses: Addresses;
}

export interface EmulatedStage {
  /**
   * Deploys the stage. Resolves with the outcome and with the lines that the operator sees.
   * @param settings settings of the app, e.g. other bundles
   */
  deploy(
    commit: string,
    settings?: Readonly<Record<string, string>>,
  ): Promise<{ outcome: DeployOutcome; told: string[] }>;
  /** Returns the origins of the stage. @throws Error when called before the first deploy */
  doors(): StageDoors;
  /** Returns the value of an output of the stacks of the last successful deploy. */
  output(name: string): string;
  close(): Promise<void>;
}

/** @param isProtected true if the stage's stacks are protected from deletion */
export const emulatedStage = (cdk: Cdk, endpoint: string, folder: string, isProtected = false): EmulatedStage => {
  let opened: StageDoors | undefined;

  const open = async (addresses: Addresses): Promise<StageDoors> => {
    if (addresses.dashboard === null) throw new Error('the stacks have no output for the dashboard');
    const distribution = await readDistribution(endpoint, addresses.dashboard);
    await letReadWithoutTls(endpoint, distribution);
    const front = await openFront(addresses.api, endpoint);
    return { front, edge: await openEdge(endpoint, distribution, addresses.api), distribution, addresses };
  };

  return {
    async deploy(commit, settings) {
      const told: string[] = [];
      const deployment = {
        stage: 'emulator',
        context: [],
        version: { commit, isCommitted: true },
        isProtected,
        mayLeaveSandbox: false,
        folder: openAssemblyFolder(join(folder, 'deployed')),
      };
      const outcome = await deployStage(deployment, {
        cdk: (words) => cdk.run(words, settings),
        readLastChanges,
        protectStacks,
        smokeTest: async (put) => {
          opened ??= await open(put);
          const addresses = { api: `${opened.front.url}/api`, dashboard: opened.edge.url, domain: put.domain };
          return smokeTest(addresses, { pauseMs: PAUSE_MS });
        },
        checkDomain,
        say: (line) => told.push(line),
      });
      return { outcome, told };
    },
    doors() {
      if (opened === undefined) throw new Error('nothing was deployed yet');
      return opened;
    },
    output(name) {
      const outputs = JSON.parse(readFileSync(join(folder, 'deployed/kept/outputs.json'), 'utf8')) as object;
      const found = Object.values(outputs).find((named: Record<string, string>) => name in named)?.[name];
      if (found === undefined) throw new Error(`the stacks have no output ${name}`);
      return found;
    },
    async close() {
      await opened?.front.close();
      await opened?.edge.close();
    },
  };
};
