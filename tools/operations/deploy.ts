/**
 * `npm run deploy:stage -- <stage> [--sandbox | --no-sandbox] [--sweeper-off]`: runs the pre-flight, deploys all
 * stacks, tests the stage, and rolls back if the test fails (docs/runbook.md). It uses the operator's own credentials
 * and region. The exit code is 0 when the new version works, 1 when it does not (even if the rollback succeeded), and 2
 * when nothing was deployed.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isStageName, type Stage, stageNamed } from '#infra/stages.ts';
import { runProgram } from '#tools/clients/run-program.ts';
import { fail } from '#tools/local/command-line.ts';
import { checkConcurrency } from './account-concurrency.ts';
import { deployStage } from './deploy-stage.ts';
import { openAssemblyFolder } from './kept-assembly.ts';
import { readLastChanges } from './last-changes.ts';
import { protectStacks } from './protect-stacks.ts';
import { ROOT, runCdk } from './run-cdk.ts';
import { checkDomain, smokeTest } from './smoke-test.ts';

const USAGE = 'usage: npm run deploy:stage -- <stage> [--sandbox | --no-sandbox] [--sweeper-off]';
const off = { type: 'boolean', default: false } as const;

const read = () => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { sandbox: off, 'no-sandbox': off, 'sweeper-off': off },
    });
    const [name = '', ...rest] = positionals;
    const isOneWord = rest.length === 0 && !(values.sandbox && values['no-sandbox']);
    return isStageName(name) && isOneWord ? { name, ...values } : fail(USAGE);
  } catch {
    return fail(USAGE);
  }
};

const versionHere = async () => {
  const git = (...args: string[]): Promise<string> => runProgram({ program: 'git', args, cwd: ROOT });
  const commit = (await git('rev-parse', 'HEAD')).trim();
  return { commit, isCommitted: (await git('status', '--porcelain')).trim() === '' };
};

/** Returns the stage. @throws Error for `local`, which cannot be deployed to an account */
const deployable = (name: string): Stage => {
  if (name === 'local') throw new Error('the local stage is not deployed: `npm start`');
  return stageNamed(name);
};

const { name, sandbox, 'no-sandbox': mayLeaveSandbox, 'sweeper-off': isSweeperOff } = read();
process.env.AWS_REGION ||= process.env.AWS_DEFAULT_REGION || fail('AWS_REGION is missing: the region of the deploy');
try {
  const stage = deployable(name);
  const { lack, told } = await checkConcurrency(stage);
  if (lack !== null) fail(lack);
  console.log(told);
  const context = ['-c', `stage=${name}`, '-c', `sandbox=${sandbox}`, '-c', `sweeper=${isSweeperOff ? 'off' : 'on'}`];
  const folder = openAssemblyFolder(join(ROOT, '.deployed', name));
  const hands = { cdk: runCdk, readLastChanges, protectStacks, smokeTest, checkDomain, say: console.log };
  const version = await versionHere();
  const deployment = { stage: name, context, version, isProtected: stage.retainsData, mayLeaveSandbox, folder };
  const outcome = await deployStage(deployment, hands);
  if (outcome !== 'deployed') process.exitCode = 1;
} catch (error) {
  fail((error as Error).message);
}
