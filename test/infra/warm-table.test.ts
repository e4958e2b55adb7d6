/** A table that takes many units a second from its first minute on, if its stage says so. */
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { expect, test } from 'vitest';
import { makeTables } from '#infra/constructs/stage-table.ts';
import { parseStage, STAGE_NAMES, stageNamed } from '#infra/stages.ts';

const prod = (more: object) => parseStage({ ...structuredClone(stageNamed('prod')), ...more });

const tableOf = (stage: ReturnType<typeof prod>) => {
  const stack = new Stack(new App(), 'data');
  makeTables(stack, { stage, dataKey: new Key(stack, 'Key'), removalPolicy: RemovalPolicy.RETAIN });
  const [table] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::Table'));
  return table!.Properties;
};

test('table and index are warmed alike', () => {
  const warmThroughput = { readUnitsPerSecond: 24_000, writeUnitsPerSecond: 12_000 };
  const { WarmThroughput, GlobalSecondaryIndexes } = tableOf(prod({ warmThroughput }));
  const warmed = { ReadUnitsPerSecond: 24_000, WriteUnitsPerSecond: 12_000 };
  expect([WarmThroughput, GlobalSecondaryIndexes[0].WarmThroughput]).toEqual([warmed, warmed]);
});

test('no stage pays for it unless it is set', () => {
  for (const name of STAGE_NAMES) expect(stageNamed(name).warmThroughput).toBeNull();
  expect(JSON.stringify(tableOf(prod({})))).not.toContain('WarmThroughput');
});

test.each([
  { readUnitsPerSecond: 11_999, writeUnitsPerSecond: 4_000 },
  { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 3_999 },
  { readUnitsPerSecond: 12_000 },
])('%j is refused', (warmThroughput) => {
  expect(() => prod({ warmThroughput })).toThrow('warmThroughput');
});
