/** The end of a stage that does not keep its data: all of its stacks, and a word on what no stack takes along. */
import type { Stage } from '#infra/stages.ts';
import { AppError } from '#shared/values/app-error.ts';

/** What is asked cannot be meant. */
class StageStays extends AppError {}

interface Hands {
  /** Runs the CDK with these words; rejects when it fails. */
  cdk(words: string[]): Promise<unknown>;
  /** Is there an SSM parameter of this name? */
  hasParameter(name: string): Promise<boolean>;
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

/**
 * The CDK destroys those first that import of others: `data` goes when nobody is left who writes to it.
 * @returns what is still there, one thing a line
 * @throws StageStays; what `cdk` rejects with, after which it may be run again
 */
export const destroyStage = async (stage: Stage, { cdk, hasParameter }: Hands): Promise<string[]> => {
  refuseToDestroy(stage);
  // With every stack that the stage may have: one that was never deployed is passed over.
  const flags = ['-c', `stage=${stage.name}`, '-c', 'placeholder=true', '-c', `sandbox=${stage.sandbox !== null}`];
  await cdk(['destroy', '--all', '--force', ...flags]);
  const left: string[] = [];
  for (const name of new Set(parametersOf(stage)))
    if (await hasParameter(name)) left.push(`the parameter ${name}: aws ssm delete-parameter --name ${name}`);
  return [...left, ...KEPT_BY_AWS];
};
