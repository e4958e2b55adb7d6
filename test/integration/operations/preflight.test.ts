/** `npm run preflight` and the demonstration, against Lambda's account settings on loopback. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LEAST_ACCOUNT, refuseTooManyWorkers } from '#infra/concurrency.ts';
import { stageNamed } from '#infra/stages.ts';
import { IS_WHOLE } from '#test/helpers/effort.ts';
import { runProgram } from '#test/helpers/operator-program.ts';
import { demoEverySource } from '#tools/local/demo/every-source.ts';
import { findDemoPace } from '#tools/local/demo/side-by-side.ts';
import type { DemoStack } from '#tools/local/demo/steps.ts';
import { findLack } from '#tools/operations/account-concurrency.ts';

const PROGRAM = join(import.meta.dirname, '../../../tools/operations/preflight.ts');

let server: Server;
let answer: { status: number; body: unknown };
const asked: string[] = [];
const limits = (ConcurrentExecutions: number, UnreservedConcurrentExecutions = ConcurrentExecutions) => ({
  status: 200,
  body: { AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions, TotalCodeSize: 1 }, AccountUsage: {} },
});

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(
      `${request.method} ${request.url} ${/Credential=test\/\d+\/([^,]+)/.exec(`${request.headers.authorization}`)?.[1]}`,
    );
    response.writeHead(answer.status).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked.length = 0;
});

const run = (args: string[], more: Record<string, string> = { AWS_REGION: 'us-east-1' }) =>
  runProgram(PROGRAM, args, ['AWS_ENDPOINT_URL_LAMBDA', server], more);

test('says that the account has enough, asked by a signed request in the region of the deploy', async () => {
  answer = limits(100);
  expect(await run([])).toEqual({
    code: 0,
    out: 'stage dev wants 100 functions at once, the account has 100',
    told: '',
  });
  expect(asked).toEqual(['GET /2016-08-19/account-settings us-east-1/lambda/aws4_request']);
});

test('ends with 1 and names the quota when the account has less', async () => {
  answer = limits(10);
  const { code, out, told } = await run(['--stage', 'dev'], { AWS_DEFAULT_REGION: 'sa-east-1' });
  expect([code, out]).toEqual([1, '']);
  expect(told).toContain('stage dev wants 100 functions at once, and the account has 10 in this region');
  expect(told).toContain('Lambda "Concurrent executions" (L-B99A9384)');
  expect(told).toContain('--quota-code L-B99A9384 --desired-value 100');
  expect(asked).toEqual(['GET /2016-08-19/account-settings sa-east-1/lambda/aws4_request']);
});

test('counts what others have reserved as taken, to the last one', () => {
  const dev = stageNamed('dev');
  expect(findLack({ account: 150, unreserved: 100 }, dev)).toBeNull();
  const lack = findLack({ account: 150, unreserved: 99 }, dev);
  expect(lack).toContain('the account has 99 in this region (150, of which 51 are reserved by other functions)');
  expect(lack).toContain('--desired-value 151');
});

test('offers lower concurrency only where a stage can be so low', () => {
  const dev = stageNamed('dev');
  const least = LEAST_ACCOUNT;
  const tight = { ...dev.concurrency, account: least, apiReserve: 1, scope: 2, webhooks: 2, dispatch: 2, purge: 2 };
  expect(() => refuseTooManyWorkers({ name: 'dev', concurrency: tight })).not.toThrow();
  expect(() => refuseTooManyWorkers({ name: 'dev', concurrency: { ...tight, account: least - 1 } })).toThrow();
  const lack = (unreserved: number) => findLack({ account: unreserved, unreserved }, dev);
  expect(lack(least)).toContain(`or lower \`concurrency\` of the stage in infra/stages.ts`);
  for (const few of [10, least - 1]) {
    expect(lack(few)).not.toContain('or lower');
    expect(lack(few)).toContain(`no \`concurrency\` of the stage is low enough: the minimum is ${least}`);
  }
});

test.runIf(IS_WHOLE)(
  'ends with 2 when AWS refuses, answers something else, the region or the stage is not known',
  async () => {
    answer = { status: 403, body: { Message: 'no' } };
    expect(await run([])).toMatchObject({ code: 2, told: expect.stringContaining('GetAccountSettings answered 403') });
    answer = { status: 200, body: { AccountLimit: {} } };
    expect(await run([])).toMatchObject({ code: 2, told: expect.stringContaining('in an unknown form') });
    answer = limits(1_000);
    expect(await run([], {})).toMatchObject({ code: 2, told: expect.stringContaining('AWS_REGION is missing') });
    expect(await run(['--stage', 'Q-A'])).toMatchObject({
      code: 2,
      told: expect.stringContaining('this stage is not valid'),
    });
    expect(await run(['--nothing'])).toMatchObject({ code: 2, told: expect.stringContaining('usage:') });
  },
);

const API = 'https://x1.execute-api.us-east-1.amazonaws.com/api';

test('the demonstration goes side by side from 100 on, in turn below and where it may not ask', async () => {
  const pace = (unreserved: number) => findDemoPace(API, async () => ({ account: 1_000, unreserved }));
  expect(await pace(100)).toEqual({ isSideBySide: true, says: null });
  expect(await pace(99)).toEqual({
    isSideBySide: false,
    says: 'one source after the other: the account has 99 of Lambda "Concurrent executions" (L-B99A9384), below 100',
  });
  const refused = await findDemoPace(API, () => Promise.reject(new Error('no credentials')));
  expect(refused).toEqual({
    isSideBySide: false,
    says: "one source after the other: the account's concurrency is not known (no credentials)",
  });
  const here = await findDemoPace('http://127.0.0.1:4000/api', () => Promise.reject(new Error('must not be asked')));
  expect(here).toEqual({ isSideBySide: true, says: null });
});

/** An API that refuses every request; `held`: it answers only once this many requests wait. */
const refusingApi = async (held: number) => {
  let atOnce = 0;
  let most = 0;
  let asked = 0;
  const waiting: (() => void)[] = [];
  const api = createServer((_, response) => {
    asked++;
    atOnce++;
    most = Math.max(most, atOnce);
    waiting.push(() => {
      atOnce--;
      response.writeHead(500).end('{}');
    });
    if (asked >= held) for (const tell of waiting.splice(0)) tell();
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const stack = {
    api: `http://127.0.0.1:${(api.address() as AddressInfo).port}/api`,
    session: 's',
    api_key: 'k',
    sandbox: Object.fromEntries(['a', 'b', 'c'].map((source) => [source, { credentials: {}, metadata: {} }])),
  } as unknown as DemoStack;
  return { demonstration: { stack, ledgerOf: async () => ({}) }, most: () => most, close: () => api.close() };
};

test('the demonstration asks for one source at a time with its option, otherwise for all of them', async () => {
  const inTurn = await refusingApi(1);
  const faults = await demoEverySource(inTurn.demonstration, 1);
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(['a', 'b', 'c', 'changes of tenders']);
  expect(inTurn.most()).toBe(1);
  inTurn.close();
  // The API answers only after all three sources have sent a request.
  const together = await refusingApi(3);
  expect(await demoEverySource(together.demonstration)).toHaveLength(4);
  expect(together.most()).toBe(3);
  together.close();
});
