/**
 * A real table for a test file: in the server of the run (table-server.ts), in the server that `DYNAMODB_ENDPOINT`
 * names, or in a new dynoxide, which stores it in memory. Points the environment of this process at it, so that
 * repositories and handlers find it as on AWS.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DUE_INDEX } from '#shared/table/due-keys.ts';

export interface TestTable {
  tableName: string;
  endpoint: string;
  /** Restarts with an empty table at the same address. Only if the table has its own server. */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

const START_TRIES_MAX = 3;
const ANSWER_TRIES_MAX = 200;
const POLL_MS = 25;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const isEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const end = async (child: ChildProcess): Promise<void> => {
  if (isEnded(child)) return;
  child.kill();
  await once(child, 'exit');
};

/** Waits for the server's first answer of any kind; false if the server ended instead (its port was taken). */
const answers = async (child: ChildProcess, endpoint: string): Promise<boolean> => {
  for (let tries = 0; tries < ANSWER_TRIES_MAX && !isEnded(child); tries++) {
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered && !isEnded(child)) return true;
    await sleep(POLL_MS);
  }
  return false;
};

interface Server {
  endpoint: string;
  /** The server also holds tables of other files, so this file must not stop it. */
  isShared: boolean;
  /** Stops the server and starts another one at its address. */
  again(): Promise<void>;
  stop(): Promise<void>;
}

const startChild = async (port: number): Promise<ChildProcess | undefined> => {
  const program = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
  const child = spawn(program, ['--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
  if (await answers(child, `http://127.0.0.1:${port}`)) return child;
  await end(child);
  return undefined;
};

/** Environment variable: address of the server that all files of a run share. */
export const SHARED_SERVER = 'TEST_TABLE_SERVER';

export const startServer = async (): Promise<Server> => {
  const given = process.env.DYNAMODB_ENDPOINT ?? process.env[SHARED_SERVER];
  if (given) return { endpoint: given, isShared: true, again: async () => {}, stop: async () => {} };
  for (let tries = 0; tries < START_TRIES_MAX; tries++) {
    const port = await freePort();
    let child = await startChild(port);
    if (child === undefined) continue;
    return {
      endpoint: `http://127.0.0.1:${port}`,
      isShared: false,
      again: async () => {
        await end(child!);
        child = await startChild(port);
        if (child === undefined) throw new Error('dynoxide does not start again');
      },
      stop: () => end(child!),
    };
  }
  throw new Error('dynoxide does not start');
};

const createTable = async (tableName: string): Promise<void> => {
  const client = new DynamoDBClient();
  const names = ['pk', 'sk', 'due_pk', 'due_sk'];
  const keySchema = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keySchema('pk', 'sk'),
      GlobalSecondaryIndexes: [
        { IndexName: DUE_INDEX, KeySchema: keySchema('due_pk', 'due_sk'), Projection: { ProjectionType: 'KEYS_ONLY' } },
      ],
    }),
  );
  client.destroy();
};

const deleteTable = async (endpoint: string, tableName: string): Promise<void> => {
  const client = new DynamoDBClient({ endpoint });
  await client.send(new DeleteTableCommand({ TableName: tableName }));
  client.destroy();
};

export const startTable = async (): Promise<TestTable> => {
  const { endpoint, isShared, again, stop } = await startServer();
  const tableName = `test-${randomUUID()}`;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    TABLE_NAME: tableName,
  });
  await createTable(tableName);
  const renew = async (): Promise<void> => {
    await again();
    if (!isShared) await createTable(tableName);
  };
  return { tableName, endpoint, renew, stop: () => (isShared ? deleteTable(endpoint, tableName) : stop()) };
};
