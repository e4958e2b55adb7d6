/** Deletes all stacks of a stage that does not retain its data, and lists what remains after the stacks are deleted. */
import { stackNames } from '#infra/app.ts';
import { tableName } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';
import { AppError } from '#shared/values/app-error.ts';

/** Thrown to refuse a request that must be a mistake. */
class StageStays extends AppError {}

interface Hands {
  /** Runs the CDK with these arguments; rejects when it fails. */
  cdk(words: string[]): Promise<unknown>;
  /** Resolves with the time at which CloudFormation last changed each stack; null for a stack that does not exist. */
  readLastChanges(stacks: readonly string[]): Promise<Record<string, string | null>>;
  /** Resolves to true if an SSM parameter of this name exists. */
  hasParameter(name: string): Promise<boolean>;
  hasTable(name: string): Promise<boolean>;
}

/**
 * Returns the names of the parameters with the secrets of sessions. No template contains these parameters, because an
 * operator or `npm run -s session` creates them.
 */
const parametersOf = ({ session, sandbox }: Stage): string[] =>
  [session, sandbox?.session].flatMap((each) =>
    each?.algorithm === 'HS256' && each.secretParameter !== null ? [each.secretParameter] : [],
  );

/** Resources that AWS retains for a time after the deletion (AWS's documents). */
const KEPT_BY_AWS = [
  'the two keys: KMS deletes them after 30 days',
  'a backup of the table: DynamoDB keeps it for 35 days, as of every table with point-in-time recovery',
  'metrics, for 15 months, and the assets of the CDK, which stages of the account share',
];

/** @throws StageStays for a stage that retains its data or that is not on AWS */
export const refuseToDestroy = ({ name, retainsData }: Stage): void => {
  if (retainsData)
    throw new StageStays(
      `stage ${name} keeps its data: set retainsData to false in infra/stages.ts and deploy that first, if the data shall really be deleted`,
    );
  if (name === 'local') throw new StageStays('the local stage is a folder: stop it, then `npm run reset`');
};

/**
 * Resolves with one line about `thing`, or with no line when it does not exist. If the operator's credentials do not
 * allow the check, the line is printed anyway, because the stage is already deleted.
 */
const lineOf = async (thing: string, command: string, isThere: Promise<boolean>): Promise<string[]> => {
  try {
    return (await isThere) ? [`${thing}: ${command}`] : [];
  } catch (error) {
    return [`perhaps ${thing}, could not look (${(error as Error).message}): ${command}`];
  }
};

/**
 * Returns the names of tables of earlier generations that the data stack no longer manages. Such a table still exists
 * if the stage retained its data when the stack released the table.
 */
const formerTables = ({ name, tableGeneration, leavesFormerTable }: Stage): string[] =>
  Array.from({ length: Math.max(0, tableGeneration - (leavesFormerTable ? 1 : 2)) }, (_, n) =>
    tableName({ name, tableGeneration: n + 1 }),
  );

const findLeft = async (stage: Stage, { hasParameter, hasTable }: Hands): Promise<string[]> => {
  const left: string[] = [];
  for (const name of new Set(parametersOf(stage)))
    left.push(
      ...(await lineOf(`the parameter ${name}`, `aws ssm delete-parameter --name ${name}`, hasParameter(name))),
    );
  for (const name of formerTables(stage))
    left.push(
      ...(await lineOf(
        `the former table ${name}, which cannot be read once its key is gone`,
        `aws dynamodb update-table --no-deletion-protection-enabled --table-name ${name}, then aws dynamodb delete-table --table-name ${name}`,
        hasTable(name),
      )),
    );
  return left;
};

const stacksOf = async ({ name }: Stage, { readLastChanges }: Hands): Promise<string[]> => {
  const names = stackNames(name);
  const changes = await readLastChanges(names);
  return names.filter((stack) => changes[stack] !== null);
};

export interface Rest {
  /** Lines that each name a stack that exists or may exist; empty when the stage is deleted. */
  stacks: string[];
  /** Lines that each name another thing that remains after the stacks are deleted. */
  others: string[];
}

/**
 * Resolves with lines about stacks that still exist. The CDK does not delete a stack that the stage's current settings
 * no longer include, such as a removed sandbox.
 */
const findStacksLeft = async (stage: Stage, hands: Hands): Promise<string[]> => {
  const command = 'aws cloudformation delete-stack --stack-name';
  try {
    return (await stacksOf(stage, hands)).map((stack) => `the stack ${stack}: ${command} ${stack}`);
  } catch (error) {
    return [`perhaps stacks, could not look (${(error as Error).message})`];
  }
};

/**
 * Deletes the stage. The CDK deletes a stack before the stacks from which it imports, so `data` is last, when no other
 * stack can write to it.
 * @returns lines about everything that still exists
 * @throws StageStays; errors of `readLastChanges` and `cdk`, after which the operator may repeat the command
 */
export const destroyStage = async (stage: Stage, hands: Hands): Promise<Rest> => {
  refuseToDestroy(stage);
  // Without this check, the command would succeed for a stage without stacks, because the CDK skips stacks that do not
  // exist.
  if ((await stacksOf(stage, hands)).length === 0)
    throw new StageStays(
      [
        `stage ${stage.name} has no stacks here: check region, account and name. Nothing was deleted`,
        ...(await findLeft(stage, hands)),
      ].join('\n- '),
    );
  // The options make the CDK consider every stack that the stage may have. It skips stacks that were never deployed.
  const flags = ['-c', `stage=${stage.name}`, '-c', 'placeholder=true', '-c', `sandbox=${stage.sandbox !== null}`];
  await hands.cdk(['destroy', '--all', '--force', ...flags]);
  return { stacks: await findStacksLeft(stage, hands), others: [...(await findLeft(stage, hands)), ...KEPT_BY_AWS] };
};
