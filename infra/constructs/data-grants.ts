/** Permissions on the table and the buckets, and on the key that encrypts them. */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { tableName } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';
import { SNAPSHOT_FOLDER, VARIABLES } from '#shared/platform/needs.ts';
import { tableArn } from './imported-by-name.ts';

export interface DataStores {
  rawAnswers: Bucket;
  documents: Bucket;
  /** Encrypts the table and the buckets at rest. */
  dataKey: Key;
}

export interface NeedGrant {
  environment: Record<string, string>;
  statements: PolicyStatement[];
}

export const allow = (
  actions: string[],
  resources: string[],
  conditions: Record<string, unknown> = {},
): PolicyStatement => new PolicyStatement({ actions, resources, conditions });

/** Allows use of the key only through the service whose data it protects, never direct decryption. */
const keyBehind = (service: 'dynamodb' | 's3', key: Key, actions: string[]): PolicyStatement =>
  allow(actions, [key.keyArn], { StringEquals: { 'kms:ViaService': `${service}.${Aws.REGION}.amazonaws.com` } });

/** DynamoDB requires these actions from a caller that reads or writes a table with a customer managed key. */
export const KEY_READ = ['kms:Decrypt', 'kms:DescribeKey'];
export const KEY_WRITE = [...KEY_READ, 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

export const tableGrant =
  (stage: Stage, { dataKey }: DataStores) =>
  (actions: string[], keyActions: string[], conditions: Record<string, unknown> = {}): NeedGrant => ({
    environment: { [VARIABLES.table]: tableName(stage) },
    statements: [
      allow(
        actions.map((action) => `dynamodb:${action}`),
        [tableArn(stage)],
        conditions,
      ),
      keyBehind('dynamodb', dataKey, keyActions),
    ],
  });

/** Returns the grant for a need of a bucket. Each of the two buckets has the needs read, write and delete. */
export const bucketGrant = (need: string, { rawAnswers, documents, dataKey }: DataStores): NeedGrant => {
  const [area, verb] = need.split(':');
  const [variable, bucket] =
    area === 'documents' ? [VARIABLES.documentBucket, documents] : [VARIABLES.rawBucket, rawAnswers];
  const objects = bucket.arnForObjects('*');
  const statements = {
    // A reader must be able to see that a raw answer is missing: for a missing object S3 returns 403 without the
    // permission to list, and 404 with it (AWS's documents).
    read: [
      allow(['s3:GetObject'], [objects]),
      ...(area === 'raw-answers' ? [allow(['s3:ListBucket'], [bucket.bucketArn])] : []),
      keyBehind('s3', dataKey, ['kms:Decrypt']),
    ],
    write: [allow(['s3:PutObject'], [objects]), keyBehind('s3', dataKey, ['kms:GenerateDataKey'])],
    delete: [allow(['s3:DeleteObject'], [objects]), allow(['s3:ListBucket'], [bucket.bucketArn])],
  };
  return { environment: { [variable]: bucket.bucketName }, statements: statements[verb as keyof typeof statements] };
};

/** The beginning of an organization's partitions: no other partition with the name of an area at its end is as long. */
const ORGANIZATION = '???#????????-????-????-????-????????????';

/** Allows only partitions of this area, of any organization (`shared/table/keys.ts`, `listed-keys.ts`). */
export const onlyArea = (area: 'LISTED' | 'RATE'): Record<string, unknown> => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${ORGANIZATION}#${area}`] },
  // `ForAllValues` is also true for a request without `dynamodb:LeadingKeys`, so this condition requires that key.
  Null: { 'dynamodb:LeadingKeys': 'false' },
});

/** Returns the grant for readers of connections: they change nothing but the snapshots that they read. */
export const snapshotGrant = (stage: Stage, stores: DataStores): NeedGrant => {
  const { rawAnswers, dataKey } = stores;
  const { environment, statements } = tableGrant(stage, stores)(
    ['DeleteItem', 'PutItem'],
    KEY_WRITE,
    onlyArea('LISTED'),
  );
  return {
    environment: { ...environment, [VARIABLES.rawBucket]: rawAnswers.bucketName },
    statements: [
      ...statements,
      allow(['s3:GetObject', 's3:PutObject'], [rawAnswers.arnForObjects(`${SNAPSHOT_FOLDER}/*`)]),
      keyBehind('s3', dataKey, ['kms:Decrypt', 'kms:GenerateDataKey']),
    ],
  };
};
