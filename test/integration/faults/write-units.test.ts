/** What syncs write into the table, in units as AWS counts them, in virtual time at each institution's own pace. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { meanOf, type SourceFigures, scopesOf, tellUnits } from '#test/faults/reported-units.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { IS_WHOLE, runs } from '#test/helpers/effort.ts';
import { itemBytes } from '../../faults/table/item-size.ts';
import { SimulatedTable } from '../../faults/table/simulated-table.ts';
import type { Item } from '../../faults/table/values.ts';
import { countWrites } from '../../faults/table/write-units.ts';

const STORY = join(import.meta.dirname, '../../faults/second-sync.ts');

describe('units are counted as the table reports them', () => {
  let real: TestTable;
  let client: DynamoDBDocumentClient;
  beforeAll(async () => {
    real = await startTable();
    client = DynamoDBDocumentClient.from(new DynamoDBClient(), { marshallOptions: { removeUndefinedValues: true } });
  });
  afterAll(async () => {
    client.destroy();
    await real.stop();
  });

  const anyValue = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((value) => Number(value.toFixed(4))),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array({ minLength: 1, maxLength: 20 }),
      fc
        .uniqueArray(fc.string({ minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 4 })
        .map((all) => new Set(all)),
      fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 4 }).map((all) => new Set(all)),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'bb', 'ñ'), tie('value')),
    ),
  })).value;
  const UNIT = 1_024;
  /** Exactly a whole number of kilobytes, or one byte more: a wrong item size then gives a wrong count. */
  const anyItem = fc
    .record({
      sk: fc.constantFrom('A', 'B#ñ'),
      fields: fc.dictionary(fc.constantFrom('v', 'waits_for', 'número'), anyValue),
      due: fc.option(fc.constantFrom('1', '2')),
      units: fc.integer({ min: 1, max: 3 }),
      isOver: fc.boolean(),
    })
    .map(({ sk, fields, due, units, isOver }) => {
      const entry = due === null ? {} : { due_pk: 'DUE#1', due_sk: due };
      const item: Item = { pk: 'UNITS', sk, ...fields, ...entry, filler: '' };
      const bytes = units * UNIT + (isOver ? 1 : 0);
      return { ...item, filler: 'x'.repeat(Math.max(0, bytes - itemBytes(item))) };
    });
  const anyCommand = (TableName: string) =>
    fc.oneof(
      anyItem.map((own) => new PutCommand({ TableName, Item: own })),
      anyItem.map(({ pk, sk }) => new DeleteCommand({ TableName, Key: { pk, sk } })),
      anyItem.map(
        ({ pk, sk, filler }) =>
          new UpdateCommand({
            TableName,
            Key: { pk, sk },
            UpdateExpression: 'SET filler = :filler REMOVE due_sk',
            ExpressionAttributeValues: { ':filler': filler },
          }),
      ),
      anyItem.map(
        ({ pk, sk }) =>
          new DeleteCommand({ TableName, Key: { pk, sk }, ConditionExpression: 'attribute_exists(nothing)' }),
      ),
      anyItem.map((own) => new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item: own } }] })),
      anyItem.map(
        ({ pk, sk }) =>
          new TransactWriteCommand({
            TransactItems: [
              { ConditionCheck: { TableName, Key: { pk, sk }, ConditionExpression: 'attribute_exists(filler)' } },
              { Delete: { TableName, Key: { pk, sk: `${sk}2` } } },
            ],
          }),
      ),
      anyItem.map(
        (own) =>
          new BatchWriteCommand({
            RequestItems: {
              [TableName]: [
                { PutRequest: { Item: own } },
                { DeleteRequest: { Key: { pk: own.pk, sk: `${own.sk}3` } } },
              ],
            },
          }),
      ),
    );

  test('of any write, to the byte', { timeout: 120_000 }, async () => {
    const simulated = new SimulatedTable();
    let counted = 0;
    countWrites(simulated, ({ units, indexUnits }) => {
      counted += units + indexUnits;
    });
    const seen = { compared: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(anyCommand(real.tableName), { minLength: 5, maxLength: 20 }), async (commands) => {
        for (const command of commands) {
          counted = 0;
          command.input.ReturnConsumedCapacity = 'TOTAL';
          const answer = await client.send(command as PutCommand).catch(() => null);
          if (answer === null) {
            expect(() => simulated.send(command)).toThrow();
            expect(counted).toBeGreaterThan(0);
            seen.refused++;
            continue;
          }
          simulated.send(command);
          const told = [answer.ConsumedCapacity ?? []]
            .flat()
            .reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
          expect(counted, JSON.stringify(command.input)).toBe(told);
          seen.compared++;
        }
      }),
      { numRuns: Math.max(32, runs(200)) },
    );
    expect(seen.compared).toBeGreaterThan(200);
    expect(seen.refused).toBeGreaterThan(10);
  });
});

describe.runIf(IS_WHOLE)('a second sync of every source at its pace', () => {
  const UNITS_MAX = 60;
  let told: SourceFigures[];
  beforeAll(async () => {
    told = JSON.parse((await promisify(execFile)(process.execPath, [STORY], { maxBuffer: 64 * 1024 * 1024 })).stdout);
  }, 120_000);

  const sum = (of: (figures: SourceFigures) => number): number => told.reduce((total, each) => total + of(each), 0);

  test('is complete, paced, and has every existing scope', () => {
    for (const { source, statuses, wallMs, paceMs } of told) {
      expect(statuses, source).toEqual(['succeeded', 'succeeded']);
      expect(wallMs, source).toBeGreaterThanOrEqual(paceMs);
    }
    expect(scopesOf(told)).toBe(SCOPES.length);
    // Leases are renewed while workers wait for their turn: a story without renewals would cost less than a real sync.
    expect(sum(({ byWrite }) => byWrite['LEASE Update']?.times ?? 0)).toBeGreaterThan(SCOPES.length / 2);
    // Packs of up to 16 answers.
    expect(sum(({ answers }) => answers)).toBeGreaterThan(2 * SCOPES.length);
  });

  test(`writes at most ${UNITS_MAX} units a scope, in the mean`, () => {
    expect(meanOf(told), tellUnits(told)).toBeLessThanOrEqual(UNITS_MAX);
  });
});
