/** What the wrapper of every queue worker reports about a message to the log and CloudWatch. */
import type { Context, SQSEvent } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type ReadAhead, worker } from '#shared/messaging/worker.ts';
import { log } from '#shared/platform/logger.ts';
import { captureLog } from '#test/helpers/log-lines.ts';

const RUN = '0198c0de-0000-7000-8000-00000000abcd';
const ORGANIZATION = '0198c0de-0000-7000-8000-00000000ef01';
const CANARY = 'clave-Ñandú-9';
const Message = z.object({ runId: z.string(), organizationId: z.string(), fails: z.boolean() });
const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 1_000 } as unknown as Context;

const eventOf = (...bodies: string[]): SQSEvent =>
  ({ Records: bodies.map((body, n) => ({ messageId: `m${n}`, body, eventSource: 'aws:sqs' })) }) as unknown as SQSEvent;

const handler = worker('sync-scope', Message, async ({ fails }) => {
  await Promise.resolve();
  log.info('deep below');
  if (fails) throw new Error(`it said ${CANARY}`, { cause: new TypeError(CANARY) });
});

const told = async (...bodies: string[]) => {
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  const captured = captureLog();
  const answer = await handler(eventOf(...bodies), context);
  const text = captured.text();
  vi.restoreAllMocks();
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { answer, text, lines };
};

const message = (fails: boolean, runId = RUN) => JSON.stringify({ runId, organizationId: ORGANIZATION, fails });

test('every line about a message says its ids, the invocation and the worker; messages at a time do not mix', async () => {
  const other = RUN.replace('abcd', '0002');
  const { lines } = await told(message(false), message(false, other));
  const said = {
    message: 'deep below',
    operation: 'sync-scope',
    request_id: 'request-1',
    organization_id: ORGANIZATION,
  };
  expect(lines).toMatchObject([
    { ...said, run_id: RUN },
    { ...said, run_id: other },
  ]);
});

test('a failed message goes back, is counted by worker, and its error is logged without its text', async () => {
  const { answer, text, lines } = await told(message(true));
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
  const failed = lines.find((line) => line.message === 'a message failed and goes back to its queue');
  expect(failed).toMatchObject({ run_id: RUN, error_name: 'Error', error_causes: 'TypeError' });
  expect(lines.filter(({ _aws }) => _aws !== undefined)).toMatchObject([{ worker: 'sync-scope', MessageFailures: 1 }]);
  expect(text).not.toContain(CANARY);
});

test('a message that does not parse is dropped and logged without its content', async () => {
  const { answer, text, lines } = await told(`{"runId": "${CANARY}"}`);
  expect(answer).toEqual({ batchItemFailures: [] });
  expect(lines).toMatchObject([{ message: 'a message does not parse and is dropped', operation: 'sync-scope' }]);
  expect(text).not.toContain(CANARY);
});

test('what a batch needs is read once, for the messages that parse, and each of them gets it', async () => {
  const asked: string[][] = [];
  const got: string[] = [];
  const ahead = worker(
    'sync-scope',
    Message,
    async ({ runId }, { ahead: names }: ReadAhead<Map<string, string>>) => {
      got.push(names.get(runId)!);
    },
    async (messages) => {
      asked.push(messages.map(({ runId }) => runId));
      return new Map(messages.map(({ runId }) => [runId, `of ${runId}`]));
    },
  );
  const captured = captureLog();
  await ahead(eventOf(message(false, 'a'), 'no JSON', message(false, 'b')), context);
  await ahead(eventOf('no JSON'), context);
  vi.restoreAllMocks();
  expect(captured.text()).toContain('does not parse');
  expect(asked).toEqual([['a', 'b']]);
  expect(got).toEqual(['of a', 'of b']);
});

test('a reading ahead that fails sends every message back', async () => {
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  const captured = captureLog();
  const failing = worker(
    'sync-scope',
    Message,
    async () => {},
    async () => {
      throw new Error('the table does not answer');
    },
  );
  const answer = await failing(eventOf(message(false), message(false)), context);
  vi.restoreAllMocks();
  expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'm0' }, { itemIdentifier: 'm1' }]);
  expect(captured.text()).toContain('goes back to its queue');
});
