/**
 * The simulated table of `test/faults` behind the real document client: it evaluates conditions and transactions as a
 * table does (a test compares the two), without an HTTP call for each.
 */
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import { SimulatedTable } from '#test/faults/table/simulated-table.ts';
import { startTable } from '#test/helpers/dynamo.ts';

export interface QuickTable {
  /** Everything stored, as text; bytes as they are and as base64. */
  text(): string;
  stop(): Promise<void>;
}

const show = (_: string, value: unknown): unknown => {
  if (!(value instanceof Uint8Array)) return value;
  return `${Buffer.from(value).toString('latin1')} ${Buffer.from(value).toString('base64')}`;
};

export const startQuickTable = (): QuickTable => {
  const table = new SimulatedTable();
  const environment = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  Object.assign(process.env, environment, { TABLE_NAME: 'simulated' });
  const { send } = DynamoDBDocumentClient.prototype;
  Object.assign(DynamoDBDocumentClient.prototype, { send: async (command: unknown) => table.send(command) });
  return {
    text: () => JSON.stringify([...table.items()], show),
    stop: async () => {
      // A spy of the last test would bring this table's `send` back at the first test of the next file.
      vi.restoreAllMocks();
      Object.assign(DynamoDBDocumentClient.prototype, { send });
    },
  };
};

export type EngineTable = Pick<QuickTable, 'stop'>;

/** The simulated table, which takes almost no time; dynoxide with `ENGINE_TABLE=real`. */
export const startEngineTable = async (): Promise<EngineTable> =>
  process.env.ENGINE_TABLE === 'real' ? startTable() : startQuickTable();
