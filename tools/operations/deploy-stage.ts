/**
 * Deploys a stage, with a rollback. The next assembly is synthesized, deployed and tested; if the deploy or the test
 * fails, the assembly of the last deploy is deployed again. CodeDeploy is not used, because it would shift traffic
 * function by function.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stackName } from '#infra/app.ts';
import { AppError } from '#shared/values/app-error.ts';
import { type AssemblyFolder, type Kept, stacksIn } from './kept-assembly.ts';
import type { Addresses } from './smoke-test.ts';
import { findWayBack, type WayBack } from './way-back.ts';

export interface Deployment {
  /** Name of the stage. */
  stage: string;
  /** Options for the CDK app, e.g. `-c stage=dev`. */
  context: readonly string[];
  /** Version of the code that is deployed. */
  version: Pick<Kept, 'commit' | 'isCommitted'>;
  /** True if the stacks are protected from deletion once they are deployed. */
  isProtected: boolean;
  /** True if a stage with simulated institutions may be deployed without them. */
  mayLeaveSandbox: boolean;
  folder: AssemblyFolder;
}

/** Thrown to refuse a deploy that would send logins of simulated institutions to the real institutions. */
class SandboxStays extends AppError {}

export interface DeployHands {
  /** Runs the CDK with these arguments; rejects when it fails. */
  cdk(words: string[]): Promise<unknown>;
  /**
   * Resolves with the time at which CloudFormation last changed each stack, by CloudFormation's clock; null for a stack
   * that does not exist.
   */
  readLastChanges(stacks: readonly string[]): Promise<Record<string, string | null>>;
  /** Protects the stacks from deletion. */
  protectStacks(stacks: readonly string[]): Promise<void>;
  /** Resolves with one line for each fault. */
  smokeTest(addresses: Addresses): Promise<string[]>;
  /** Resolves with a line if the dashboard is not at the stage's own domain, or null. */
  checkDomain(addresses: Addresses): Promise<string | null>;
  say(line: string): void;
}

/**
 * `back`: the deploy failed and the stage was rolled back, except that new stacks were not removed. `failed`: the
 * deploy failed and the stage was not rolled back.
 */
export type DeployOutcome = 'deployed' | 'back' | 'failed';

/** Options for an assembly that is already bundled. Without them, the CDK would bundle the current code again. */
const AS_IT_IS = ['--build', 'true'];
const NO_QUESTION = ['--require-approval', 'never'];

const COMMIT_CHARS = 10;
const isSweeperOff = ({ context }: Pick<Kept, 'context'>): boolean => context.includes('sweeper=off');
const called = ({ commit, isCommitted, context }: Pick<Kept, 'commit' | 'isCommitted' | 'context'>): string => {
  const more = [
    ...(isCommitted ? [] : ['and changes that are not committed']),
    ...(isSweeperOff({ context }) ? ['sweeper off'] : []),
  ].join('; ');
  return `commit ${commit.slice(0, COMMIT_CHARS)}${more === '' ? '' : ` (${more})`}`;
};

const addressesIn = (outputsFile: string): Addresses => {
  const stacks = Object.values(JSON.parse(readFileSync(outputsFile, 'utf8')) as Record<string, Record<string, string>>);
  const output = (name: string): string | undefined => stacks.find((named) => name in named)?.[name];
  const api = output('ApiUrl');
  if (api === undefined) throw new Error('the stacks have no output ApiUrl');
  const [page = null, distribution] = [output('DashboardUrl'), output('DistributionDomain')];
  // An assembly of version 1.0.0 has no output for the distribution.
  const dashboard = distribution === undefined ? page : `https://${distribution}`;
  return { api, dashboard, domain: page === dashboard ? null : page };
};

/**
 * Deploys and tests the stage. Resolves with the faults, which are empty when the stage is deployed and answers
 * correctly.
 */
const faultsOf = async (deploy: () => Promise<unknown>, outputsFile: string, hands: DeployHands): Promise<string[]> => {
  try {
    await deploy();
    return await hands.smokeTest(addressesIn(outputsFile));
  } catch (error) {
    return [(error as Error).message];
  }
};

const announce = (wayBack: WayBack, { stage }: Deployment, kept: Kept | undefined, { say }: DeployHands): void => {
  if (!wayBack.exists) {
    say(`stage ${stage}: ${wayBack.why}. If this deploy fails, there is NO WAY BACK`);
    return;
  }
  say(`stage ${stage}: if this deploy fails, ${called(kept!)} of ${kept!.deployedAt} is deployed again`);
  for (const stack of wayBack.stay) say(`the stack ${stack} is new, and would stay`);
};

/**
 * Resolves with the times at which CloudFormation last changed the stacks. If CloudFormation is unreachable, the
 * function says so and resolves with null, and the deploy itself stays valid.
 */
const changesNow = async (
  stacks: readonly { name: string }[],
  { readLastChanges, say }: DeployHands,
): Promise<Kept['lastChanges']> => {
  try {
    return await readLastChanges(stacks.map(({ name }) => name));
  } catch (error) {
    say(
      `the times of the stack changes could not be read (${(error as Error).message}): the next deploy from here cannot be rolled back`,
    );
    return null;
  }
};

/**
 * Protects stacks that a deploy has completed once. The CDK removes the protection whenever it changes a stack, and
 * cannot delete a protected stack whose creation failed, so only this function protects.
 */
const protect = async (
  { stage, isProtected }: Deployment,
  assembly: string,
  { protectStacks, say }: DeployHands,
): Promise<void> => {
  if (!isProtected) return;
  try {
    await protectStacks(stacksIn(assembly).map(({ name }) => name));
  } catch (error) {
    say(`stage ${stage} may be deleted by mistake, its stacks are NOT all protected: ${(error as Error).message}`);
  }
};

const deployAll = (assembly: string, outputsFile: string, { cdk }: DeployHands): Promise<unknown> =>
  cdk(['deploy', '--all', '--app', assembly, ...AS_IT_IS, ...NO_QUESTION, '--outputs-file', outputsFile]);

const deployKept = async (first: readonly string[], assembly: string, outputsFile: string, hands: DeployHands) => {
  for (const stack of first)
    await hands.cdk(['deploy', stack, '--exclusively', '--app', assembly, ...AS_IT_IS, ...NO_QUESTION]);
  await deployAll(assembly, outputsFile, hands);
};

const goBack = async (
  wayBack: WayBack,
  deployment: Deployment,
  outputsFile: string,
  hands: DeployHands,
): Promise<DeployOutcome> => {
  const { stage, folder } = deployment;
  const kept = folder.readKept();
  const note = async (): Promise<void> => {
    if (kept !== undefined) folder.noteChanges(await changesNow(stacksIn(folder.kept), hands));
  };
  if (!wayBack.exists || kept === undefined) {
    hands.say(`stage ${stage} stays as the failure left it: there is no way back`);
    if (kept !== undefined) await protect(deployment, folder.kept, hands);
    if (!wayBack.exists && wayBack.isDeployed) await note();
    return 'failed';
  }
  hands.say(`stage ${stage} goes back to ${called(kept)}`);
  const faults = await faultsOf(() => deployKept(wayBack.first, folder.kept, outputsFile, hands), outputsFile, hands);
  for (const fault of faults) hands.say(`- ${fault}`);
  hands.say(
    faults.length === 0
      ? `stage ${stage} is back at ${called(kept)} and answers. The new one is NOT deployed: fix it first`
      : `stage ${stage} could NOT go back: look at the events of its stacks, repair them, and deploy ${called(kept)}`,
  );
  for (const stack of wayBack.stay) hands.say(`the stack ${stack} is new, and stays as the failure left it`);
  if (isSweeperOff(kept))
    hands.say(`the sweeper of stage ${stage} is OFF, as before: overdue items wait until it is deployed`);
  await protect(deployment, folder.kept, hands);
  await note();
  return faults.length === 0 ? 'back' : 'failed';
};

/**
 * Deploys the stage, and rolls back if the deploy fails. An error is thrown only before anything is deployed.
 * @throws errors of the CDK for an app that cannot be synthesized, errors of `readLastChanges`, and SandboxStays
 */
export const deployStage = async (deployment: Deployment, hands: DeployHands): Promise<DeployOutcome> => {
  const { stage, context, mayLeaveSandbox, folder } = deployment;
  const version = { ...deployment.version, context: [...context] };
  folder.clearNext();
  mkdirSync(dirname(folder.next), { recursive: true });
  const outputsFile = join(dirname(folder.next), 'outputs.json');
  await hands.cdk(['synth', '--quiet', '--output', folder.next, ...context]);
  const next = stacksIn(folder.next);
  const kept = folder.readKept();
  const keptStacks = kept === undefined ? [] : stacksIn(folder.kept);
  const sandbox = stackName(stage, 'sandbox');
  const deployed = await hands.readLastChanges([...new Set([...keptStacks.map(({ name }) => name), sandbox])]);
  if (deployed[sandbox] !== null && !mayLeaveSandbox && !next.some(({ name }) => name === sandbox))
    throw new SandboxStays(
      `stage ${stage} has simulated institutions (${sandbox}), and would send their logins to the real ones: say --sandbox, or --no-sandbox where that is meant`,
    );
  const wayBack = findWayBack({
    stage,
    kept: kept === undefined ? null : { ...kept, stacks: keptStacks },
    deployed,
    next,
  });
  announce(wayBack, deployment, kept, hands);

  const faults = await faultsOf(() => deployAll(folder.next, outputsFile, hands), outputsFile, hands);
  if (faults.length > 0) {
    hands.say(`stage ${stage} was NOT deployed with ${called(version)}:`);
    for (const fault of faults) hands.say(`- ${fault}`);
    return goBack(wayBack, deployment, outputsFile, hands);
  }
  hands.say(`stage ${stage} is deployed with ${called(version)} and answers`);
  const missing = await hands.checkDomain(addressesIn(outputsFile));
  if (missing !== null) hands.say(missing);
  await protect(deployment, folder.next, hands);
  folder.keepNext({ ...version, deployedAt: new Date().toISOString(), lastChanges: await changesNow(next, hands) });
  return 'deployed';
};
