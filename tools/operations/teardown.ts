/**
 * `npm run teardown -- --stage <name>`: deletes a deployed stage with all of its data, and prints what remains. It uses
 * the operator's own credentials and region, asks for no confirmation, and refuses a stage that retains its data or has
 * no stacks. If the command stops early, run it again. The exit code is 1 when stacks remain or may remain.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { isStageName, stageNamed } from '#infra/stages.ts';
import { hasParameter } from '#shared/platform/parameters.ts';
import { fail } from '#tools/local/command-line.ts';
import { destroyStage, refuseToDestroy } from './destroy-stage.ts';
import { openAssemblyFolder } from './kept-assembly.ts';
import { readLastChanges } from './last-changes.ts';
import { ROOT, runCdk } from './run-cdk.ts';
import { describeTable } from './table-settings.ts';

const USAGE = 'usage: npm run teardown -- --stage <name>';

/** The option prevents the CDK from bundling, because a destroy needs no code. */
const cdk = (words: string[]): Promise<void> => runCdk([...words, '--build', 'true']);

const hasTable = async (table: string): Promise<boolean> =>
  (await describeTable(new DynamoDBClient({}), table)) !== undefined;

const stageOf = (): string => {
  try {
    const { stage = '' } = parseArgs({ options: { stage: { type: 'string' } } }).values;
    return isStageName(stage) ? stage : fail(USAGE);
  } catch {
    return fail(USAGE);
  }
};

const name = stageOf();
try {
  const stage = stageNamed(name);
  refuseToDestroy(stage);
  process.env.AWS_REGION ||= process.env.AWS_DEFAULT_REGION || fail('AWS_REGION is missing: the region of the deploy');
  const { stacks, others } = await destroyStage(stage, { cdk, readLastChanges, hasParameter, hasTable });
  openAssemblyFolder(join(ROOT, '.deployed', name)).forget();
  const outcome = stacks.length === 0 ? 'is deleted' : 'is NOT wholly deleted';
  const lines = [...stacks, ...others].map((line) => `- ${line}`);
  console.log([`stage ${name} ${outcome}. Still there:`, ...lines].join('\n'));
  if (stacks.length > 0) process.exitCode = 1;
} catch (error) {
  fail((error as Error).message);
}
