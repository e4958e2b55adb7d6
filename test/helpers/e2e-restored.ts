/**
 * `E2E_GENERATION=2`: the restore drill under every story. The demonstration fills a stack on generation 1 of the
 * table, with a connection of each source, and the stack ends. Its table is copied as a restore leaves it. Every stack
 * of the stories then starts with that data folder and serves from generation 2.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tableName } from '#infra/names.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { startDynamo } from '#tools/local/dynamo.ts';
import { localStage } from '#tools/local/local-stage.ts';
import { LOCAL_CREDENTIALS } from '#tools/local/overlay.ts';
import { copyTable, enableTtl } from './copy-table.ts';
import { FILLED_FOLDER, startChild, temporaryFolder } from './e2e-child.ts';
import type { Integrator } from './e2e-integrator.ts';
import { outsideEnvironment } from './outside-environment.ts';

const ROOT = join(import.meta.dirname, '../..');
const ENDPOINT = 'AWS_ENDPOINT_URL_DYNAMODB';
const GENERATION = '2';

/** Whether the drill is requested. Throws for an unsupported generation. */
export const isRestoreAsked = (generation = process.env.E2E_GENERATION): boolean => {
  if (generation === undefined || generation === '1') return false;
  if (generation === GENERATION) return true;
  throw new Error(`E2E_GENERATION must be 1 or ${GENERATION}, not "${generation}"`);
};

interface Told {
  code: number;
  text: string;
}

const program = (path: string, args: string[], environment: Record<string, string>): Promise<Told> =>
  new Promise((resolve) => {
    const options = { cwd: ROOT, env: { ...outsideEnvironment(), ...environment }, maxBuffer: 2 ** 24 };
    execFile(process.execPath, [path, ...args], options, (error, out, told) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: out + told }),
    );
  });

const must = ({ code, text }: Told, wanted: { code: number; says: string }): void => {
  if (code === wanted.code && text.includes(wanted.says)) return;
  throw new Error(`it ended with ${code}, not ${wanted.code} and "${wanted.says}":\n${text}`);
};

/** What the owner of the filled data reads: connections with their state, and the runs of each. */
export const whatIsRead = async (api: Integrator): Promise<unknown> => {
  const connections = (await api.get('/connections?limit=200')) as { id: string }[];
  const runs = await Promise.all(connections.map(({ id }) => api.get(`/connections/${id}/sync-runs`)));
  return { connections, runs };
};

/** For a folder without a running stack. Resolves with the number of items. */
const copyGeneration = async (dataFolder: string): Promise<number> => {
  const engine = await startDynamo(dataFolder, { engine: process.env.LOCAL_TABLE });
  const client = new DynamoDBClient({ endpoint: engine.endpoint, region: 'us-east-1', credentials: LOCAL_CREDENTIALS });
  try {
    const [former, restored] = [tableName(localStage('1')), tableName(localStage(GENERATION))];
    const copied = await copyTable(client, former, restored);
    // The command finds the stack that ran last, but its table now has another address.
    const file = join(dataFolder, 'environment.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), [ENDPOINT]: engine.endpoint }));
    const check = () =>
      program('tools/operations/restore-check.ts', ['--stage', 'local'], {
        DATA_DIR: dataFolder,
        LOCAL_TABLE_GENERATION: GENERATION,
      });
    must(await check(), { code: 1, says: 'TTL is not enabled' });
    await enableTtl(client, restored);
    must(await check(), { code: 0, says: 'each of' });
    return copied;
  } finally {
    client.destroy();
    await engine.close();
  }
};

export interface Filled {
  dataFolder: string;
  /** Result of `whatIsRead`. */
  read: unknown;
}

/** Fills, ends, copies and checks; afterwards every stack of this process and its children serves from the copy. */
export const fillAndRestore = async (): Promise<Filled> => {
  const dataFolder = temporaryFolder();
  const stack = await startChild(dataFolder);
  let read: unknown;
  try {
    must(await program('tools/local/demo.ts', ['--all'], { DATA_DIR: dataFolder }), {
      code: 0,
      says: `every count and sum of ${MANIFESTS.map(({ code }) => code).join(', ')} equals the institution's own`,
    });
    read = await whatIsRead(stack.api);
  } finally {
    await stack.end();
  }
  const copied = await copyGeneration(dataFolder);
  process.env.LOCAL_TABLE_GENERATION = GENERATION;
  process.env[FILLED_FOLDER] = dataFolder;
  const told = `${copied} items of ${MANIFESTS.length} synchronized sources were copied to generation ${GENERATION} and checked`;
  process.stdout.write(`${told}\n`);
  return { dataFolder, read };
};

/**
 * @throws Error if stories, which use their own organizations, changed the filled data. The seeded organization may own
 * more by now.
 */
export const requireStillRead = async ({ read }: Filled, api: Integrator): Promise<void> => {
  const now = (await whatIsRead(api)) as { connections: { id: string }[]; runs: unknown[] };
  const before = read as typeof now;
  for (const [at, connection] of before.connections.entries()) {
    const place = now.connections.findIndex(({ id }) => id === connection.id);
    if (!isDeepStrictEqual([now.connections[place], now.runs[place]], [connection, before.runs[at]]))
      throw new Error(`connection ${connection.id} is not read from generation ${GENERATION} as it was`);
  }
};
