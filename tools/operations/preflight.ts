/**
 * `npm run preflight -- [--stage dev]`: checks before a deploy, with the operator's own credentials, whether the
 * account allows the concurrency that the stage needs. If it does not, the command names the quota, and its exit code
 * is 1.
 */
import { parseArgs } from 'node:util';
import { stageNamed } from '#infra/stages.ts';
import { fail } from '#tools/local/command-line.ts';
import { checkConcurrency } from './account-concurrency.ts';

const USAGE = 'usage: npm run preflight -- [--stage dev|prod]';

const read = () => {
  try {
    return parseArgs({ options: { stage: { type: 'string', default: 'dev' } } }).values;
  } catch {
    return fail(USAGE);
  }
};

const { stage: name } = read();
process.env.AWS_REGION ||= process.env.AWS_DEFAULT_REGION || fail('AWS_REGION is missing: the region of the deploy');
try {
  const { lack, told } = await checkConcurrency(stageNamed(name));
  if (lack === null) console.log(told);
  else {
    console.error(lack);
    process.exitCode = 1;
  }
} catch (error) {
  fail((error as Error).message);
}
