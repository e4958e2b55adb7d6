/**
 * `npm run restore:check -- [--stage dev]`: checks the table of the stage's generation before the sweeper uses the
 * table, and changes nothing. The exit code is 0 when the table has no fault; the command then prints the comparisons.
 * It is 1 with all faults, and 2 when the table could not be read. On AWS the command uses the operator's own
 * credentials and region; with `--stage local` it uses the stack on this machine (`LOCAL_TABLE_GENERATION`).
 */
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Stage, stageNamed } from '#infra/stages.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { fail, useLocalEnvironment } from '#tools/local/command-line.ts';
import { localStage } from '#tools/local/local-stage.ts';
import { checkRestoredTable } from './check-restored-table.ts';
import { readSecretsKeyArn } from './stage-key.ts';

const USAGE = 'usage: npm run restore:check -- [--stage <name>]';

const read = () => {
  try {
    return parseArgs({ options: { stage: { type: 'string', default: 'dev' } } }).values;
  } catch {
    return fail(USAGE);
  }
};

const useStage = async ({ name }: Stage): Promise<void> => {
  if (name === 'local') {
    try {
      return useLocalEnvironment();
    } catch {
      return fail('no local stack was started yet: run `npm start` first');
    }
  }
  process.env.AWS_REGION ||= process.env.AWS_DEFAULT_REGION || fail('AWS_REGION is missing: the region of the deploy');
  process.env[VARIABLES.encryptionKeyArn] ||= await readSecretsKeyArn(name);
};

try {
  const { stage: name } = read();
  const stage = name === 'local' ? localStage() : stageNamed(name);
  await useStage(stage);
  const { table, faults, told } = await checkRestoredTable(new DynamoDBClient({}), stage);
  if (faults.length > 0) {
    console.error([`table ${table} must not serve:`, ...faults.map((fault) => `- ${fault}`)].join('\n'));
    process.exitCode = 1;
  }
  if (told.length > 0) console.log([`table ${table}`, ...told].join('\n'));
} catch (error) {
  const { name, message } = error as Error;
  fail(`${name}: ${message}`);
}
