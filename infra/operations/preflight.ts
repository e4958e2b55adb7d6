/**
 * `npm run preflight -- [--stage dev]`: before a deploy, asks with the operator's own credentials whether the account runs as
 * many functions at once as the stage wants. Ends with 1 when it has less, and names the quota.
 */
import { parseArgs } from 'node:util';
import { refuseTooManyWorkers } from '#infra/concurrency.ts';
import { fail } from '#infra/local/command-line.ts';
import { stageNamed } from '#infra/stages.ts';
import { lackOf, readAccountConcurrency } from './account-concurrency.ts';

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
  const stage = stageNamed(name);
  refuseTooManyWorkers(stage);
  const found = await readAccountConcurrency();
  const lack = lackOf(found, stage);
  if (lack === null) {
    console.log(
      `stage ${name} wants ${stage.concurrency.account} functions at once, the account has ${found.unreserved}`,
    );
  } else {
    console.error(lack);
    process.exitCode = 1;
  }
} catch (error) {
  fail((error as Error).message);
}
