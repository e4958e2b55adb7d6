/** `npm run restore:check` against loopback servers that answer like DynamoDB and CloudFormation in AWS's documents. */

import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { IS_WHOLE } from '#test/helpers/effort.ts';

const PROGRAM = join(import.meta.dirname, '../../../tools/operations/restore-check.ts');
const KEY = 'arn:aws:kms:us-east-1:000000000000:key/11111111-1111-4111-8111-111111111111';
const TABLE = 'data-connections-prod-table-1';

const stackAnswer = (outputs: string) =>
  `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><Outputs>${outputs}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
const keyOutput = (key: string) =>
  `<member><OutputKey>ExportsOutputFnGetAtt${key}317DCF94Arn6F5A0C61</OutputKey><OutputValue>${KEY}</OutputValue></member>`;

interface World {
  stack: { status: number; body: string };
  tables: Record<string, object | undefined>;
  ttl: object;
  recovery: string;
  /** Items that a scan of the table returns. */
  items: object[];
}

let world: World;
const asked: string[] = [];
let server: Server;

const right = {
  TableStatus: 'ACTIVE',
  DeletionProtectionEnabled: true,
  GlobalSecondaryIndexes: [
    {
      IndexName: 'due',
      IndexStatus: 'ACTIVE',
      KeySchema: [
        { AttributeName: 'due_pk', KeyType: 'HASH' },
        { AttributeName: 'due_sk', KeyType: 'RANGE' },
      ],
    },
  ],
};

const dynamo = (operation: string, name: string): [number, object] => {
  const table = world.tables[name];
  if (operation === 'DescribeTable')
    return table
      ? [200, { Table: { TableName: name, ...table } }]
      : [400, { __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException', message: 'no' }];
  if (operation === 'DescribeTimeToLive') return [200, { TimeToLiveDescription: world.ttl }];
  if (operation === 'DescribeContinuousBackups')
    return [
      200,
      {
        ContinuousBackupsDescription: {
          ContinuousBackupsStatus: 'ENABLED',
          PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: world.recovery },
        },
      },
    ];
  if (operation === 'Scan') return [200, { Items: world.items, Count: world.items.length }];
  return [400, { __type: 'ValidationException', message: operation }];
};

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const target = request.headers['x-amz-target'];
      if (target === undefined) {
        asked.push(body);
        response.writeHead(world.stack.status).end(world.stack.body);
        return;
      }
      const operation = `${target}`.split('.').at(-1)!;
      const { TableName } = JSON.parse(body);
      asked.push(`${operation} ${TableName}`);
      const [status, answer] = dynamo(operation, TableName);
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked.length = 0;
  world = {
    stack: { status: 200, body: stackAnswer(keyOutput('DataKey') + keyOutput('SecretsKey')) },
    tables: { [TABLE]: right },
    ttl: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires_at_epoch' },
    recovery: 'ENABLED',
    items: [
      { pk: { S: 'ORG#o#CONFIG' }, sk: { S: 'CONN#c' } },
      { pk: { S: 'TOKEN#t' }, sk: { S: 'TOKEN' } },
    ],
  };
});

const run = (args: string[], more: Record<string, string> = { AWS_REGION: 'us-east-1' }) =>
  new Promise<{ code: number; out: string[]; told: string }>((resolve) => {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL: endpoint,
      ...more,
    };
    execFile(process.execPath, [PROGRAM, ...args], { env }, (error, out, told) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: out.trim().split('\n'), told: told.trim() }),
    );
  });

test('ends with 0 and says what was compared', async () => {
  expect(await run(['--stage', 'prod'])).toEqual({
    code: 0,
    out: [
      `table ${TABLE}`,
      '2 items of 2 kinds',
      'no credentials are stored: no secret was opened',
      'generation 1: there is no former table to compare with',
    ],
    told: '',
  });
  expect(asked[0]).toBe('Action=DescribeStacks&Version=2010-05-15&StackName=data-connections-prod-data');
});

test('ends with 1 and names every fault of a stage that retains its data', async () => {
  world.tables[TABLE] = { TableStatus: 'ACTIVE', GlobalSecondaryIndexes: [] };
  world.ttl = { TimeToLiveStatus: 'DISABLED' };
  world.recovery = 'DISABLED';
  const { code, told } = await run(['--stage', 'prod']);
  expect(code).toBe(1);
  expect(told.split('\n')).toEqual([
    `table ${TABLE} must not serve:`,
    '- the index due is missing: the sweeper would find nothing',
    '- TTL is not enabled: expires_at_epoch must be its attribute',
    '- point-in-time recovery is off',
    '- deletion protection is off',
  ]);
});

test('requires neither recovery nor protection if the data are deleted with the stack', async () => {
  world.tables['data-connections-dev-table-1'] = { ...right, DeletionProtectionEnabled: false };
  world.recovery = 'DISABLED';
  expect((await run([])).code).toBe(0);
  expect(asked).not.toContain('DescribeContinuousBackups data-connections-dev-table-1');
});

test('refuses an index of other keys or still in the making, and a table that is', async () => {
  const [index] = right.GlobalSecondaryIndexes;
  const KeySchema = [{ AttributeName: 'due_pk', KeyType: 'HASH' }];
  world.tables[TABLE] = { ...right, TableStatus: 'CREATING', GlobalSecondaryIndexes: [{ ...index, KeySchema }] };
  expect((await run(['--stage', 'prod'])).told.split('\n').slice(1)).toEqual([
    '- the table is CREATING, not ACTIVE',
    '- the index due has the keys due_pk, not due_pk,due_sk',
  ]);
  world.tables[TABLE] = { ...right, GlobalSecondaryIndexes: [{ ...index, IndexStatus: 'CREATING' }] };
  expect((await run(['--stage', 'prod'])).told).toContain('- the index due is CREATING, not ACTIVE');
});

test('a table that is not there is the one fault', async () => {
  world.tables = {};
  expect(await run(['--stage', 'prod'])).toEqual({
    code: 1,
    out: [''],
    told: `table ${TABLE} must not serve:\n- the table is not there`,
  });
});

test.runIf(IS_WHOLE)('ends with 2 for wrong use, without a region, a stage, its key or a local stack', async () => {
  expect(await run(['--nothing'])).toMatchObject({ code: 2, told: expect.stringContaining('usage:') });
  expect(await run(['--stage', 'Q-A'])).toMatchObject({ code: 2, told: expect.stringContaining('stage is not valid') });
  expect(await run([], {})).toMatchObject({ code: 2, told: expect.stringContaining('AWS_REGION is missing') });
  world.stack = { status: 200, body: stackAnswer(keyOutput('DataKey')) };
  const noKey = 'DescribeStacks of data-connections-dev-data answered 200 and no key';
  expect(await run([])).toMatchObject({ code: 2, told: expect.stringContaining(noKey) });
  world.stack.status = 403;
  expect(await run([])).toMatchObject({ code: 2, told: expect.stringContaining('answered 403') });
  const nowhere = { DATA_DIR: join(tmpdir(), 'no-such-data-folder') };
  expect(await run(['--stage', 'local'], nowhere)).toMatchObject({
    code: 2,
    told: expect.stringContaining('run `npm start` first'),
  });
});
