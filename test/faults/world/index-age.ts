/** Histories that begin before connections were found by reference and RUT. */
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { SimulatedTable } from '../table/simulated-table.ts';

/** One history of this many begins so. */
const HISTORIES_PER_OLDER = 8;
const NEWER_ENTRY = /^ORG#[^#]+#(REFERENCE|COMPANY)#/;

/** Leaves the table as an older version did: without these entries, and without their number. */
export const ageIndex = (table: SimulatedTable, seed: number): void => {
  if (seed % HISTORIES_PER_OLDER !== 0) return;
  for (const { pk, sk, ...item } of [...table.items()]) {
    if (NEWER_ENTRY.test(pk)) table.send(new DeleteCommand({ TableName: 'simulated', Key: { pk, sk } }));
    if (sk !== 'CONNECTIONS') continue;
    const { indexed: _, ...older } = item;
    table.send(new PutCommand({ TableName: 'simulated', Item: { pk, sk, ...older } }));
  }
};
