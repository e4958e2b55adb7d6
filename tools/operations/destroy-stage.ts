/** The end of a stage that does not keep its data: all of its stacks, and a word on what no stack takes along. */
import { stackNames } from '#infra/app.ts';
import { tableName } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';
import { AppError } from '#shared/values/app-error.ts';

/** What is asked cannot be meant. */
class StageStays extends AppError {}

interface Hands {
  /** Runs the CDK with these words; rejects when it fails. */
  cdk(words: string[]): Promise<unknown>;
  /** Of the named stacks, when CloudFormation changed them last; null where there is no such stack. */
  readLastChanges(stacks: readonly string[]): Promise<Record<string, string | null>>;
  /** Is there an SSM parameter of this name? */
  hasParameter(name: string): Promise<boolean>;
  hasTable(name: string): Promise<boolean>;
}

/** Secrets of sessions: made by an operator, or by `npm run -s session`, and in no template. */
const parametersOf = ({ session, sandbox }: Stage): string[] =>
  [session, sandbox?.session].flatMap((each) =>
    each?.algorithm === 'HS256' && each.secretParameter !== null ? [each.secretParameter] : [],
  );

/** By AWS's documents. */
const KEPT_BY_AWS = [
  'the two keys: KMS deletes them after 30 days',
  'a backup of the table: DynamoDB keeps it for 35 days, as of every table with point-in-time recovery',
  'metrics, for 15 months, and the assets of the CDK, which stages of the account share',
];

/** @throws StageStays for a stage that keeps its data, or is none of AWS's */
export const refuseToDestroy = ({ name, retainsData }: Stage): void => {
  if (retainsData)
    throw new StageStays(
      `stage ${name} keeps its data: set retainsData to false in infra/stages.ts and deploy that first, if they shall really go`,
    );
  if (name === 'local') throw new StageStays('the local stage is a folder: stop it, then `npm run reset`');
};

/** None where it is not there. Whoever may not look is told the command all the same: the stage is gone by now. */
const lineOf = async (thing: string, command: string, isThere: Promise<boolean>): Promise<string[]> => {
  try {
    return (await isThere) ? [`${thing}: ${command}`] : [];
  } catch (error) {
    return [`perhaps ${thing}, could not look (${(error as Error).message}): ${command}`];
  }
};

/** Generations that the data stack has let go of: they stay where the stage kept its data at that time. */
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
  /** Stacks that are still there, or may be: one a line. None: the stage is gone. */
  stacks: string[];
  /** What no stack takes along: one thing a line. */
  others: string[];
}

/** Those that the stage of today would not have, e.g. a sandbox that its settings have lost. */
const findStacksLeft = async (stage: Stage, hands: Hands): Promise<string[]> => {
  const command = 'aws cloudformation delete-stack --stack-name';
  try {
    return (await stacksOf(stage, hands)).map((stack) => `the stack ${stack}: ${command} ${stack}`);
  } catch (error) {
    return [`perhaps stacks, could not look (${(error as Error).message})`];
  }
};

/**
 * The CDK destroys those first that import of others: `data` goes when nobody is left who writes to it.
 * @returns what is still there
 * @throws StageStays; what `readLastChanges` and `cdk` reject with, after which it may be run again
 */
export const destroyStage = async (stage: Stage, hands: Hands): Promise<Rest> => {
  refuseToDestroy(stage);
  // The CDK passes over stacks that are not there, and would end well where there is none.
  if ((await stacksOf(stage, hands)).length === 0)
    throw new StageStays(
      [
        `no stack of stage ${stage.name} is there: is it the region, the account and the name that are meant? Nothing was deleted`,
        ...(await findLeft(stage, hands)),
      ].join('\n- '),
    );
  // With every stack that the stage may have: one that was never deployed is passed over.
  const flags = ['-c', `stage=${stage.name}`, '-c', 'placeholder=true', '-c', `sandbox=${stage.sandbox !== null}`];
  await hands.cdk(['destroy', '--all', '--force', ...flags]);
  return { stacks: await findStacksLeft(stage, hands), others: [...(await findLeft(stage, hands)), ...KEPT_BY_AWS] };
};
