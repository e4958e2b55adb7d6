/**
 * The checks of `npm run deploy:stage` before a deploy, and its requests to CloudFormation: a loopback server plays
 * AWS.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sampled } from '#test/helpers/effort.ts';
import { runProgram } from '#test/helpers/operator-program.ts';
import { readLastChanges } from '#tools/operations/last-changes.ts';
import { protectStacks } from '#tools/operations/protect-stacks.ts';

const PROGRAM = join(import.meta.dirname, '../../../tools/operations/deploy.ts');

let server: Server;
let answer: (body: string) => [status: number, body: string];
let asked: number;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    asked++;
    let body = '';
    for await (const chunk of request) body += chunk;
    const [status, text] = answer(body);
    response.writeHead(status).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked = 0;
});

describe('nothing is begun, and the command ends with 2', () => {
  const run = (args: string[], more: Record<string, string> = { AWS_REGION: 'us-east-1' }) =>
    runProgram(PROGRAM, args, ['AWS_ENDPOINT_URL_LAMBDA', server], more);

  const WRONG: [string, string[], string][] = [
    ['no stage', [], 'usage: npm run deploy:stage -- <stage> [--sandbox | --no-sandbox] [--sweeper-off]'],
    ['two stages', ['dev', 'prod'], 'usage: npm run deploy:stage'],
    ['a name that no stage can have', ['De-v'], 'usage: npm run deploy:stage'],
    ['with a sandbox and without', ['dev', '--sandbox', '--no-sandbox'], 'usage: npm run deploy:stage'],
    ['an unknown option', ['dev', '--force'], 'usage: npm run deploy:stage'],
    ['the stage of this machine', ['local'], 'the local stage is not deployed: `npm start`'],
    ['the stage of the emulator', ['emulator'], 'stage emulator is only created by `npm run verify:deploy`'],
  ];
  test.each(sampled(WRONG, 9))('%s', async (_, args, told) => {
    expect(await run(args)).toMatchObject({ code: 2, out: '', told: expect.stringContaining(told) });
    expect(asked).toBe(0);
  });

  test('no region', async () => {
    expect(await run(['dev'], {})).toMatchObject({ code: 2, told: expect.stringContaining('AWS_REGION is missing') });
  });

  test('an account that has not what the stage wants: the pre-flight comes first', async () => {
    const AccountLimit = { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 };
    answer = () => [200, JSON.stringify({ AccountLimit })];
    const { code, out, told } = await run(['dev']);
    expect([code, out, asked]).toEqual([2, '', 1]);
    expect(told).toContain('stage dev wants 100 functions at once, and the account has 10 in this region');
  });
});

/** Directs requests to the given server, and returns the retries of a test: three tries without a pause. */
const retriesAt = (there: Server): StandardRetryStrategy => {
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', `http://127.0.0.1:${(there.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  const backoff = { computeNextBackoffDelay: () => 0, setDelayBase: () => {} };
  return new StandardRetryStrategy({ maxAttempts: 3, backoff });
};

describe('the protection of stacks', () => {
  test('is requested of each stack, again where CloudFormation is throttled', async () => {
    const requests: string[] = [];
    answer = (body) => {
      requests.push(body);
      return asked === 1 ? [400, '<Error><Code>Throttling</Code></Error>'] : [200, '<Response/>'];
    };
    await protectStacks(['data', 'api'], retriesAt(server));
    const request = (stack: string) =>
      `Action=UpdateTerminationProtection&Version=2010-05-15&StackName=${stack}&EnableTerminationProtection=true`;
    expect(requests).toEqual([request('data'), request('data'), request('api')]);
  });

  test('is an error where CloudFormation refuses it', async () => {
    answer = () => [403, '<Error><Code>AccessDenied</Code></Error>'];
    await expect(protectStacks(['data', 'api'], retriesAt(server))).rejects.toThrow(
      'cloudformation:UpdateTerminationProtection of data answered 403: may these credentials ask?',
    );
    expect(asked).toBe(1);
  });
});

describe('when a stack was changed last', () => {
  const stackOf = (times: string) =>
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>x</StackName>${times}` +
    '<Outputs><member><CreationTime>no</CreationTime></member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>';
  const readAt = (there: Server, stacks: string[]) => readLastChanges(stacks, retriesAt(there));
  const read = (stacks: string[]) => readAt(server, stacks);

  test('is its update, or its creation, or null where it is not there', async () => {
    const answers: Record<string, [number, string]> = {
      updated: [200, stackOf('<CreationTime>1</CreationTime><LastUpdatedTime>2</LastUpdatedTime>')],
      made: [200, stackOf('<CreationTime>1</CreationTime>')],
      gone: [400, '<Error><Code>ValidationError</Code><Message>Stack with id gone does not exist</Message></Error>'],
    };
    answer = (body) => answers[new URLSearchParams(body).get('StackName')!]!;
    expect(await read(['updated', 'made', 'gone'])).toEqual({ updated: '2', made: '1', gone: null });
  });

  test.each<[string, [number, string]]>([
    ['is throttled', [400, '<Error><Code>Throttling</Code><Message>Rate exceeded</Message></Error>']],
    ['fails', [503, '<Error><Code>ServiceUnavailable</Code></Error>']],
  ])('is asked again where CloudFormation %s, three times in all', async (_, refused) => {
    answer = () => (asked < 3 ? refused : [200, stackOf('<CreationTime>1</CreationTime>')]);
    expect(await read(['data'])).toEqual({ data: '1' });
    expect(asked).toBe(3);
    answer = () => refused;
    await expect(read(['data'])).rejects.toThrow(`answered ${refused[0]}`);
    expect(asked).toBe(6);
  });

  test('is asked again if there is no answer', async () => {
    const dead = createServer((request) => {
      asked++;
      request.socket.destroy();
    });
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
    await expect(readAt(dead, ['data'])).rejects.toThrow('fetch failed');
    expect(asked).toBe(3);
    await new Promise((resolve) => dead.close(resolve));
  });

  test('is null of a stack that was deleted', async () => {
    answer = () => [200, stackOf('<CreationTime>1</CreationTime><StackStatus>DELETE_COMPLETE</StackStatus>')];
    expect(await read(['data'])).toEqual({ data: null });
  });

  test.each<[string, [number, string]]>([
    ['a refusal', [403, '<Error><Code>AccessDenied</Code></Error>']],
    ['an answer of another form', [200, '<html></html>']],
  ])('is never guessed: %s', async (_, given) => {
    answer = () => given;
    await expect(read(['data'])).rejects.toThrow(
      `cloudformation:DescribeStacks of data answered ${given[0]}: may these credentials ask?`,
    );
  });
});
