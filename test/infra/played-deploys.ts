/** Deploys with a mocked CDK and CloudFormation. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CfnOutput, CfnResource, Fn, Stack } from 'aws-cdk-lib';
import { afterEach, beforeEach, expect } from 'vitest';
import { type DeployHands, deployStage } from '#tools/operations/deploy-stage.ts';
import { openAssemblyFolder } from '#tools/operations/kept-assembly.ts';
import type { Addresses } from '#tools/operations/smoke-test.ts';

const API = { ApiUrl: 'https://api.example.com/api' };
export const CONTEXT = ['-c', 'stage=dev'];
const PREFIX = 'data-connections-dev-';

/**
 * The result of building the code: `code` is the only difference, and `shares` says whether one stack imports from the
 * other.
 */
interface Code {
  code: string;
  shares?: boolean;
  table?: string;
  isBroken?: boolean;
  hasMore?: boolean;
  hasSandbox?: boolean;
}

const synthesize = (
  outdir: string,
  { code, shares = false, table = 'one', isBroken = false, hasMore = false, hasSandbox = false }: Code,
): void => {
  if (isBroken) throw new Error('a handler is missing');
  const app = new App({ outdir, analyticsReporting: false, treeMetadata: false });
  const data = new Stack(app, `${PREFIX}data`);
  new CfnResource(data, 'Table', { type: 'AWS::DynamoDB::Table', properties: { TableName: table } });
  if (shares) new CfnOutput(data, 'Shared', { value: 'x', exportName: `${PREFIX}data:Shared` });
  const api = new Stack(app, `${PREFIX}api`);
  api.addStackDependency(data);
  const uses = shares ? { Uses: Fn.importValue(`${PREFIX}data:Shared`) } : {};
  new CfnResource(api, 'Function', { type: 'AWS::Lambda::Function', properties: { Code: code, ...uses } });
  for (const [name, isThere] of [
    ['more', hasMore],
    ['sandbox', hasSandbox],
  ] as const)
    if (isThere) new CfnResource(new Stack(app, `${PREFIX}${name}`), 'More', { type: 'AWS::SNS::Topic' });
  app.synth();
};

const codeIn = (assembly: string): string =>
  JSON.parse(readFileSync(join(assembly, `${PREFIX}api.template.json`), 'utf8')).Resources.Function.Properties.Code;

export interface Played {
  code: Code;
  /** Code for which the CDK fails. */
  fails?: string[];
  /** Code whose service does not answer. */
  isSilent?: string[];
  /** CloudFormation stops answering after this many requests for times. */
  answersTimes?: number;
  context?: readonly string[];
  mayLeaveSandbox?: boolean;
  isProtected?: boolean;
  /** Outputs of the stack of the dashboard, and the addresses that the smoke test must get for them. */
  outputs?: Record<string, string>;
  addresses?: Addresses;
  /** CloudFormation refuses to protect a stack. */
  refusesProtection?: boolean;
}

export interface PlayedDeploys {
  /** Messages to the operator in the last deploy, and the CDK's arguments. */
  said: string[];
  asked: string[][];
  /** Stacks that are protected from deletion. As with the CDK's own command, a deploy removes the protection. */
  protectedStacks: Set<string>;
  /** Stack → time of its last change. */
  times: Record<string, string>;
  folder(): string;
  deploy(played: Played): Promise<{ outcome: string; deployed: string }>;
  kept(): ReturnType<ReturnType<typeof openAssemblyFolder>['readKept']>;
  keptCode(): string;
}

/** Reset before each test of the file. */
export const usePlayedDeploys = (): PlayedDeploys => {
  const said: string[] = [];
  const asked: string[][] = [];
  const protectedStacks = new Set<string>();
  const times: Record<string, string> = {};
  let folder: string;
  let clock: number;
  beforeEach(() => {
    protectedStacks.clear();
    folder = mkdtempSync(join(tmpdir(), 'deployed-'));
    clock = 0;
    for (const stack of Object.keys(times)) delete times[stack];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Numbers that can be parsed as instants in the distant past. */
  const now = (): string => String(++clock);

  const deploy = async (played: Played) => {
    const { code, fails = [], isSilent = [], answersTimes, context, mayLeaveSandbox, isProtected = false } = played;
    let deployed = '';
    let timesLeft = answersTimes ?? Number.POSITIVE_INFINITY;
    const hands: DeployHands = {
      cdk: async (words) => {
        asked.push(words);
        const after = (option: string): string => words[words.indexOf(option) + 1]!;
        if (words[0] === 'synth') return synthesize(after('--output'), code);
        deployed = codeIn(after('--app'));
        protectedStacks.clear();
        times[`${PREFIX}api`] = now();
        times[`${PREFIX}data`] ??= now();
        if (code.hasSandbox) times[`${PREFIX}sandbox`] ??= now();
        if (fails.includes(deployed)) throw new Error(`cdk deploy of ${deployed} ended with 1`);
        if (words.includes('--outputs-file'))
          writeFileSync(after('--outputs-file'), JSON.stringify({ api: API, web: played.outputs ?? {} }));
      },
      readLastChanges: async (stacks) => {
        if (timesLeft-- <= 0) throw new Error('Throttling');
        return Object.fromEntries(stacks.map((stack) => [stack, times[stack] ?? null]));
      },
      protectStacks: async (stacks) => {
        if (played.refusesProtection) throw new Error('AccessDenied');
        for (const stack of stacks) protectedStacks.add(stack);
      },
      smokeTest: async (addresses: Addresses) => {
        expect(addresses).toEqual(played.addresses ?? { api: API.ApiUrl, dashboard: null, domain: null });
        return isSilent.includes(deployed) ? [`${deployed}: 500 instead of 200`] : [];
      },
      checkDomain: async ({ domain }) => (domain === null ? null : `not yet at ${domain}`),
      say: (line) => said.push(line),
    };
    said.length = 0;
    asked.length = 0;
    const deployment = {
      stage: 'dev',
      context: context ?? CONTEXT,
      version: { commit: `${code.code}`.padEnd(40, '0'), isCommitted: code.code !== 'dirty' },
      isProtected,
      mayLeaveSandbox: mayLeaveSandbox ?? false,
      folder: openAssemblyFolder(folder),
    };
    const outcome = await deployStage(deployment, hands);
    return { outcome, deployed };
  };

  return {
    said,
    asked,
    protectedStacks,
    times,
    folder: () => folder,
    deploy,
    kept: () => openAssemblyFolder(folder).readKept(),
    keptCode: () => codeIn(openAssemblyFolder(folder).kept),
  };
};
