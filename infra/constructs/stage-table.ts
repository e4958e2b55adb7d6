/** The table of a stage. A table that is restored from a backup gets the next generation number (docs/adr/0028). */
import type { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { TTL_ATTRIBUTE, tableName } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';
import { DUE_INDEX_NAME } from './apply-need.ts';

interface TableSettings {
  stage: Stage;
  generation: number;
  dataKey: Key;
  removalPolicy: RemovalPolicy;
}

/**
 * Each generation has a different logical id, so that CloudFormation can import a restored table while the previous
 * table exists.
 */
const makeTable = (scope: Construct, { stage, generation, dataKey, removalPolicy }: TableSettings): Table => {
  // The index takes a write for almost every write of a task, so it is warmed like the table.
  const warmed = stage.warmThroughput === null ? {} : { warmThroughput: stage.warmThroughput };
  const table = new Table(scope, generation === 1 ? 'Table' : `Table${generation}`, {
    tableName: tableName({ ...stage, tableGeneration: generation }),
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: dataKey,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: TTL_ATTRIBUTE,
    deletionProtection: stage.retainsData,
    removalPolicy,
    ...warmed,
  });
  table.addGlobalSecondaryIndex({
    indexName: DUE_INDEX_NAME,
    partitionKey: { name: 'due_pk', type: AttributeType.STRING },
    sortKey: { name: 'due_sk', type: AttributeType.STRING },
    projectionType: ProjectionType.KEYS_ONLY,
    ...warmed,
  });
  return table;
};

/** Creates the current table, and also the previous table until the stage sets `leavesFormerTable`. */
export const makeTables = (scope: Construct, settings: Omit<TableSettings, 'generation'>): Table[] => {
  const { tableGeneration, leavesFormerTable } = settings.stage;
  const hasFormer = tableGeneration > 1 && !leavesFormerTable;
  const generations = hasFormer ? [tableGeneration - 1, tableGeneration] : [tableGeneration];
  return generations.map((generation) => makeTable(scope, { ...settings, generation }));
};
