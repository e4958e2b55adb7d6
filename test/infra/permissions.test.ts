/**
 * The permissions and variables of each function, compared with a list written out here: change infra and this list
 * together.
 */
import { describe, expect, it } from 'vitest';
import { ENDPOINT_FUNCTIONS, FUNCTIONS, type FunctionManifest, variantScope } from '#infra/manifest.ts';
import { stageNamed } from '#infra/stages.ts';
import { isRepeatable } from '#shared/http/contract.ts';
import { BASE_VARIABLES, type Need, SNAPSHOT_FOLDER } from '#shared/platform/needs.ts';
import { functionResource, imported, type Json, ofType, STAGE_NAMES } from './synthesized.ts';

interface Statement {
  Action: string | string[];
  Resource: Json;
  Condition?: Json;
}

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

const statementsOf = (role: { properties: Json }): Statement[] =>
  list(role.properties.Policies ?? []).flatMap((policy: Json) => policy.PolicyDocument.Statement);

const roleOf = (stage: string, functionId: string) => {
  const { properties } = functionResource(stage, functionId);
  const [logicalId] = properties.Role['Fn::GetAtt'];
  return ofType(stage, 'AWS::IAM::Role').find((role) => role.logicalId === logicalId)!;
};

const actionsOf = (stage: string, functionId: string): string[] =>
  [...new Set(statementsOf(roleOf(stage, functionId)).flatMap(({ Action }) => list(Action)))].sort();

const BASE_ACTIONS = ['logs:CreateLogStream', 'logs:PutLogEvents', 'xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
const CONSUMER_ACTIONS = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:ReceiveMessage',
];

const TABLE_KEY = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

const ACTIONS: Record<Exclude<Need, `send:${string}`>, string[]> = {
  'table:read': ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query', 'kms:Decrypt', 'kms:DescribeKey'],
  'table:stamp': ['dynamodb:UpdateItem', ...TABLE_KEY],
  'table:count': ['dynamodb:UpdateItem', ...TABLE_KEY],
  'table:write': ['dynamodb:ConditionCheckItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem', ...TABLE_KEY],
  'table:delete': ['dynamodb:DeleteItem', ...TABLE_KEY],
  'table:batch': ['dynamodb:BatchWriteItem', ...TABLE_KEY],
  'raw-answers:read': ['kms:Decrypt', 's3:GetObject', 's3:ListBucket'],
  'raw-answers:write': ['kms:GenerateDataKey', 's3:PutObject'],
  'raw-answers:delete': ['s3:DeleteObject', 's3:ListBucket'],
  'connection-snapshots': ['dynamodb:DeleteItem', 'dynamodb:PutItem', ...TABLE_KEY, 's3:GetObject', 's3:PutObject'],
  'documents:read': ['kms:Decrypt', 's3:GetObject'],
  'documents:write': ['kms:GenerateDataKey', 's3:PutObject'],
  'documents:delete': ['s3:DeleteObject', 's3:ListBucket'],
  'schedules:write': [
    'iam:PassRole',
    'scheduler:CreateSchedule',
    'scheduler:DeleteSchedule',
    'scheduler:GetSchedule',
    'scheduler:UpdateSchedule',
  ],
  'measure:scopes': ['sqs:GetQueueAttributes'],
  'schedules:delete': ['scheduler:DeleteSchedule'],
  'schedules:list': ['scheduler:ListSchedules'],
  'connection-secrets:encrypt': ['kms:GenerateDataKey'],
  'webhook-secrets:encrypt': ['kms:GenerateDataKey'],
  'webhook-secrets:decrypt': ['kms:Decrypt'],
  'link-secrets:encrypt': ['kms:GenerateDataKey'],
  'link-secrets:decrypt': ['kms:Decrypt'],
  'source-secrets:encrypt': ['kms:GenerateDataKey'],
  'source-secrets:decrypt': ['kms:Decrypt'],
  sources: [],
  'sessions:verify': [],
  'webhook-policy': [],
  'public-origin': [],
  'client-policy': [],
  'security-contact': [],
};

const actionsNeeded = (need: Need): string[] =>
  need.startsWith('send:') ? ['sqs:SendMessage'] : ACTIONS[need as keyof typeof ACTIONS];

const SCHEDULE_VARIABLES = [
  'SCHEDULE_DEAD_LETTERS_ARN',
  'SCHEDULE_GROUP_NAME',
  'SCHEDULE_ROLE_ARN',
  'SCHEDULE_TARGET_ARN',
];

const variablesNeeded = (need: Need, stage: string): string[] => {
  const { sources } = stageNamed(stage);
  const isLocal = stage === 'local';
  if (need === 'table:count') return ['TABLE_NAME', 'READS_PER_MINUTE'];
  if (need.startsWith('table:')) return ['TABLE_NAME'];
  if (need === 'connection-snapshots') return ['TABLE_NAME', 'RAW_BUCKET_NAME'];
  if (need.startsWith('raw-answers:')) return ['RAW_BUCKET_NAME'];
  if (need.startsWith('documents:')) return ['DOCUMENT_BUCKET_NAME'];
  if (need === 'schedules:write') return SCHEDULE_VARIABLES;
  if (need.startsWith('schedules:')) return ['SCHEDULE_GROUP_NAME'];
  if (/^\w+-secrets:/.test(need)) return [isLocal ? 'ENCRYPTION_KEY_FILE' : 'ENCRYPTION_KEY_ARN'];
  if (need === 'sessions:verify') return [];
  if (need === 'webhook-policy') return isLocal ? ['WEBHOOK_LOOPBACK_ALLOWED'] : [];
  if (need === 'public-origin') return ['PUBLIC_ORIGIN'];
  if (need === 'client-policy') return ['CLIENT_APP_URIS', ...(isLocal ? ['CLIENT_LOOPBACK_ALLOWED'] : [])];
  if (need === 'security-contact') return ['SECURITY_CONTACT'];
  if (need === 'sources') {
    return Object.entries(sources).flatMap(([code, { baseUrl, pace }]) => [
      ...(baseUrl === undefined ? [] : [`SOURCE_${code.toUpperCase()}_BASE_URL`]),
      ...(pace === undefined ? [] : [`SOURCE_${code.toUpperCase()}_PACE`]),
    ]);
  }
  return need === 'send:sync-requests' ? ['QUEUE_URL_PREFIX', 'SYNC_STARTS_PER_MINUTE'] : ['QUEUE_URL_PREFIX'];
};

const isDue = (fn: FunctionManifest) => fn.kind === 'worker' && 'schedule' in fn.trigger;

describe.each(STAGE_NAMES)('functions of stage %s', (stage) => {
  it.each(FUNCTIONS)('$functionId may do what its needs say', (fn) => {
    const expected = [
      ...BASE_ACTIONS,
      ...fn.contract.needs.flatMap(actionsNeeded),
      ...(fn.kind === 'worker' && 'queue' in fn.trigger ? CONSUMER_ACTIONS : []),
      ...(isDue(fn) ? ['dynamodb:Query'] : []),
    ];
    expect(actionsOf(stage, fn.functionId)).toEqual([...new Set(expected)].sort());
  });

  it.each(FUNCTIONS)('$functionId gets the variables that its needs require', (fn) => {
    const { Variables } = functionResource(stage, fn.functionId).properties.Environment;
    const base = Object.values(BASE_VARIABLES).filter((name) => name in Variables);
    expect(base).toEqual(expect.arrayContaining(['STAGE', 'SESSION_ALGORITHM', 'SESSION_ISSUER', 'SESSION_AUDIENCE']));
    const variant = fn.kind === 'worker' && fn.variant !== null ? fn.variant : null;
    const expected = [
      ...base,
      ...fn.contract.needs.flatMap((need) => variablesNeeded(need, stage)),
      ...(variant === null ? [] : ['SCOPE']),
    ];
    expect(Object.keys(Variables).sort()).toEqual([...new Set(expected)].sort());
    if (variant !== null) expect(Variables.SCOPE).toBe(variantScope(variant));
  });

  it('lets only the sweeper read the index of due items', () => {
    const lookers = FUNCTIONS.filter(({ functionId }) =>
      JSON.stringify(statementsOf(roleOf(stage, functionId))).includes('/index/due'),
    );
    expect(lookers.map(({ functionId }) => functionId)).toEqual(FUNCTIONS.filter(isDue).map((fn) => fn.functionId));
  });

  it('grants nothing on everything', () => {
    // AWS has no resource type for listing schedules and for traces: they can only be granted on everything.
    const exceptions = ['scheduler:ListSchedules', 'xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
    for (const role of ofType(stage, 'AWS::IAM::Role')) {
      expect(role.properties.ManagedPolicyArns).toBeUndefined();
      for (const { Action, Resource } of statementsOf(role)) {
        for (const action of list(Action)) expect(action).not.toContain('*');
        if (list(Action).every((action) => exceptions.includes(action))) continue;
        for (const resource of list(Resource))
          expect(wildcardOf(resource), role.logicalId).toBeOneOf(['', '/*', `/${SNAPSHOT_FOLDER}/*`]);
      }
    }
    expect(ofType(stage, 'AWS::IAM::Policy')).toEqual([]);
    expect(ofType(stage, 'AWS::IAM::ManagedPolicy')).toEqual([]);
  });

  it('passes the role of schedules only to Scheduler, and only that role', () => {
    const passes = ofType(stage, 'AWS::IAM::Role')
      .flatMap(statementsOf)
      .filter(({ Action }) => list(Action).includes('iam:PassRole'));
    expect(passes.length).toBeGreaterThan(0);
    for (const { Action, Resource, Condition } of passes) {
      expect(list(Action)).toEqual(['iam:PassRole']);
      expect(Condition).toEqual({ StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } });
      expect(imported(stage, Resource)['Fn::GetAtt'][0]).toMatch(/^ConnectionSchedulesRole/);
    }
  });

  it('uses no key without a condition: the service that it protects, or the kind of secret', () => {
    for (const { functionId, contract } of FUNCTIONS) {
      const secrets = contract.needs.some((need) => need.includes('-secrets:'));
      const conditions = statementsOf(roleOf(stage, functionId))
        .filter(({ Action }) => list(Action).some((action) => action.startsWith('kms:')))
        .map(({ Condition }) => Object.values(Condition ?? {}).flatMap((tests: Json) => Object.keys(tests)));
      expect(new Set(conditions.flat()).has('kms:EncryptionContext:resource'), functionId).toBe(secrets);
      for (const keys of conditions) {
        expect(keys, functionId).toHaveLength(1);
        expect(keys[0]).toBeOneOf(['kms:ViaService', 'kms:EncryptionContext:resource']);
      }
    }
  });

  it('lets endpoints that store idempotent answers write them', () => {
    const posts = ENDPOINT_FUNCTIONS.filter(({ contract }) => isRepeatable(contract) && contract.auth !== 'public');
    for (const { functionId, contract } of posts) expect(contract.needs, functionId).toContain('table:write');
  });
});

/** In a resource policy, `*` means the resource itself; any other value is its ARN. */
it.each(STAGE_NAMES)('stage %s: key policies admit only the account', (stage) => {
  for (const { properties } of ofType(stage, 'AWS::KMS::Key')) {
    for (const { Principal } of properties.KeyPolicy.Statement) {
      expect(JSON.stringify(Principal)).toMatch(/AWS::AccountId/);
    }
  }
});

/**
 * The literal text with a `*` in an ARN; '' if there is no `*`. Objects of a bucket end in `/*`, because AWS has no
 * other way.
 */
function wildcardOf(resource: Json): string {
  const parts = typeof resource === 'string' ? [resource] : (resource['Fn::Join']?.[1] ?? []);
  return parts.filter((part: Json) => typeof part === 'string' && part.includes('*')).join(' ');
}
