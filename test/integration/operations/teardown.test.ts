/** `npm run teardown` to its end, including the CDK's own command line, against a CloudFormation on loopback. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { stackName } from '#infra/app.ts';
import { IS_WHOLE } from '#test/helpers/effort.ts';
import { runProgram } from '#test/helpers/operator-program.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = join(ROOT, 'tools/operations/teardown.ts');
const STAGE = 'testgone';
const PARAMETER = `/data-connections/${STAGE}/session-secret`;
const DEPLOYED = join(ROOT, '.deployed', STAGE);
const ACCOUNT = '000000000000';

/** Names of existing stacks, and of deleted stacks in the order of their deletion. */
const there = new Set<string>();
const deleted: string[] = [];
/** Whether a lookup of stacks by name is allowed after a delete. */
let mayLookAfterwards = true;

const stackXml = (name: string, status: string): string =>
  `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName>` +
  `<StackId>arn:aws:cloudformation:us-east-1:${ACCOUNT}:stack/${name}/1</StackId><StackStatus>${status}</StackStatus>` +
  '<CreationTime>2026-11-01T00:00:00Z</CreationTime></member></Stacks></DescribeStacksResult></DescribeStacksResponse>';

const refused = (code: string, message: string): [number, string] => [
  400,
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
];

const answerOf = (asked: URLSearchParams): [number, string] => {
  const action = asked.get('Action');
  const stack = asked.get('StackName') ?? '';
  // The CDK also uses the stack's id.
  const name = /:stack\/([^/]+)\//.exec(stack)?.[1] ?? stack;
  if (action === 'GetCallerIdentity')
    return [
      200,
      `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::${ACCOUNT}:user/test</Arn><UserId>test</UserId><Account>${ACCOUNT}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
    ];
  if (action === 'DescribeStacks') {
    if (!mayLookAfterwards && deleted.length > 0 && name === stack) return refused('AccessDenied', 'not now');
    if (there.has(name)) return [200, stackXml(name, 'CREATE_COMPLETE')];
    // A deleted stack can only be found by its id.
    return name === stack
      ? refused('ValidationError', `Stack with id ${name} does not exist`)
      : [200, stackXml(name, 'DELETE_COMPLETE')];
  }
  if (action === 'DeleteStack') {
    there.delete(name);
    deleted.push(name);
    return [200, '<DeleteStackResponse></DeleteStackResponse>'];
  }
  return refused('AccessDenied', `not here: ${action}`);
};

let server: Server;
let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'home-'));
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const isParameter = request.headers['x-amz-target'] === 'AmazonSSM.GetParameter';
    const [status, text] = isParameter
      ? [200, JSON.stringify({ Parameter: { Name: PARAMETER, Value: 'x', Type: 'SecureString' } })]
      : answerOf(new URLSearchParams(body));
    response.writeHead(status as number).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  rmSync(home, { recursive: true });
  return new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  there.clear();
  deleted.length = 0;
  mayLookAfterwards = true;
  mkdirSync(join(DEPLOYED, 'kept'), { recursive: true });
});
afterEach(() => rmSync(DEPLOYED, { recursive: true, force: true }));

const teardown = () =>
  runProgram(PROGRAM, ['--stage', STAGE], ['AWS_ENDPOINT_URL', server], {
    AWS_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    HOME: home,
  });

// Locally, test/infra/teardown.test.ts checks both with a mocked CDK, because the CDK's command line takes 6 s.
test.runIf(IS_WHOLE)('deletes what a dead run has left, reports the rest, and forgets the rollback', async () => {
  const data = stackName(STAGE, 'data');
  there.add(data);
  const { code, out, told } = await teardown();
  expect(code, told).toBe(0);
  expect(deleted).toEqual([data]);
  expect(out).toContain(
    `stage ${STAGE} is deleted. Still there:\n- the parameter ${PARAMETER}: aws ssm delete-parameter`,
  );
  expect(existsSync(DEPLOYED)).toBe(false);
});

test.runIf(IS_WHOLE)('ends with 1 where nobody knows whether stacks are left', async () => {
  // The CDK deletes this stack last, and looks up no stack after it.
  there.add(stackName(STAGE, 'api'));
  mayLookAfterwards = false;
  const { code, out, told } = await teardown();
  expect(code, told).toBe(1);
  expect(out).toContain(
    `stage ${STAGE} is NOT wholly deleted. Still there:\n- perhaps stacks, could not look (cloudformation:DescribeStacks`,
  );
});

test('ends with 2 where no stack is there, and deletes nothing', async () => {
  const { code, out, told } = await teardown();
  expect([code, out]).toEqual([2, '']);
  expect(told).toContain(`stage ${STAGE} has no stacks here`);
  expect(deleted).toEqual([]);
  expect(existsSync(DEPLOYED)).toBe(true);
});
