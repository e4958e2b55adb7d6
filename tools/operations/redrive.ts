/**
 * `npm run redrive -- --queue <name> [--stage <name>]`: moves the dead letters of a queue back to the queue, and prints
 * the result. `--queue scopes` moves the dead letters of all scopes, each to the queue from which it came. Fix the
 * cause first: a message that fails five more times becomes a dead letter again. On AWS the command uses the operator's
 * own credentials and region; with `--stage local` it uses the stack on this machine.
 */
import { parseArgs } from 'node:util';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DEAD_LETTERS } from '#infra/manifest.ts';
import { ALL_SCOPES } from '#infra/names.ts';
import { isStageName } from '#infra/stages.ts';
import { fail, useLocalEnvironment } from '#tools/local/command-line.ts';
import { findQueuePair, findSharedDeadLetters } from './find-queues.ts';
import { type MoveResult, moveDeadLetters } from './move-messages.ts';

const USAGE = `usage: npm run redrive -- --queue <name> [--stage <name>]
queues: ${DEAD_LETTERS.join(' ')}`;

/** Sets the environment to the endpoints and the region of the stack on this machine. */
const useLocalStack = (): void => {
  try {
    useLocalEnvironment();
  } catch {
    fail('no local stack was started yet: run `npm start` first');
  }
};

const report = (stage: string, queue: string, { by, before, moved, left, stayed, failure }: MoveResult): string =>
  [
    `queue          ${queue} of stage ${stage}`,
    `dead letters   ${before} before`,
    ...(failure === null ? [] : [`by hand        because ${failure}`]),
    `moved back     ${moved}, by ${by === 'hand' ? 'receiving, sending and deleting' : by}`,
    ...[...stayed].map(([why, count]) => `stayed         ${count}: ${why}`),
    `dead letters   ${left} left`,
  ].join('\n');

const optionsOf = (): { queue?: string | undefined; stage: string } => {
  try {
    const options = { queue: { type: 'string' }, stage: { type: 'string', default: 'dev' } } as const;
    return parseArgs({ options }).values;
  } catch {
    return fail(USAGE);
  }
};

const { queue, stage } = optionsOf();
if (queue === undefined || !DEAD_LETTERS.includes(queue)) fail(USAGE);
else if (!isStageName(stage)) fail(USAGE);
else {
  if (stage === 'local') useLocalStack();
  const sqs = new SQSClient(process.env.AWS_ENDPOINT_URL_SQS ? { useQueueUrlAsEndpoint: false } : {});
  try {
    const found = queue === ALL_SCOPES ? findSharedDeadLetters(sqs, stage) : findQueuePair(sqs, stage, queue);
    const moved = await moveDeadLetters(sqs, await found);
    console.log(report(stage, queue, moved));
    // Messages are left if another operator also moves messages or if new dead letters arrived; the exit code is then
    // 1.
    if (moved.left > 0) process.exitCode = 1;
  } catch (error) {
    fail(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
}
