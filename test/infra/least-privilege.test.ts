/** What roles cannot do, by IAM's rules over the synthesized policies of every stage. */
import { describe, expect, it } from 'vitest';
import { DEAD_LETTERS, FUNCTIONS, QUEUE_CONSUMERS, WORKER_FUNCTIONS } from '#infra/manifest.ts';
import { SNAPSHOT_FOLDER } from '#shared/platform/needs.ts';
import { secretResource } from '#shared/platform/secret-resource.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { keys } from '#shared/table/keys.ts';
import { listedKeys } from '#shared/table/listed-keys.ts';
import { type Call, isAllowed, type Statement } from './iam-policies.ts';
import { functionResource, type Json, ofType, plainArn, STAGE_NAMES } from './synthesized.ts';

const ID = '0192d8f4-0000-7000-8000-000000000001';
const SOURCES = MANIFESTS.map(({ code }) => code);

/** All secrets: credentials and sessions of each source, and webhooks. */
const SECRETS: Record<string, string> = Object.fromEntries([
  ...SOURCES.flatMap((source) => [
    [`${source} credentials`, secretResource.credentials({ source, id: ID })],
    [`${source} session`, secretResource.session(source, 'f00d')],
  ]),
  ['webhook', secretResource.webhook(ID)],
  ['connect link', secretResource.connectLink(ID)],
]);
const NAMES = Object.keys(SECRETS);
const ofSource = (source: string): string[] => [`${source} credentials`, `${source} session`];
const OF_CONNECTIONS = SOURCES.flatMap(ofSource);

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

const policiesOf = (stage: string, functionId: string): Statement[] => {
  const [roleId] = functionResource(stage, functionId).properties.Role['Fn::GetAtt'];
  const { properties } = ofType(stage, 'AWS::IAM::Role').find(({ logicalId }) => logicalId === roleId)!;
  const statements = properties.Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
  return JSON.parse(JSON.stringify(statements), function reviver(this: Json, name: string, value: Json) {
    if (name === 'Resource') return list(value).map((each: Json) => plainArn(stage, each));
    return typeof value === 'object' && value !== null && ('Fn::Join' in value || 'Ref' in value)
      ? plainArn(stage, value)
      : value;
  });
};

const onlyOne = (stage: string, type: string, pattern: RegExp): string => {
  const [found, ...more] = ofType(stage, type).filter(({ logicalId }) => pattern.test(logicalId));
  if (found === undefined || more.length > 0) throw new Error(`${pattern} is not one ${type}`);
  return `${found.logicalId}.Arn`;
};

describe.each(STAGE_NAMES)('roles of stage %s', (stage) => {
  const roles = new Map(FUNCTIONS.map(({ functionId }) => [functionId, policiesOf(stage, functionId)]));
  const may = (functionId: string, call: Call): boolean => isAllowed(roles.get(functionId)!, call);
  const key = onlyOne(stage, 'AWS::KMS::Key', /^SecretsKey/);
  const byName = (service: string, resource: string) =>
    `arn:AWS::Partition:${service}:AWS::Region:AWS::AccountId:${resource}`;
  const table = byName('dynamodb', `table/data-connections-${stage}-table-1`);

  const secretsFor = (functionId: string, action: string): string[] =>
    NAMES.filter((name) =>
      may(functionId, { action, resource: key, context: { 'kms:EncryptionContext:resource': SECRETS[name]! } }),
    );

  const expected = (functionId: string, verb: 'open' | 'close'): string[] => {
    const worker = WORKER_FUNCTIONS.find((fn) => fn.functionId === functionId);
    if (worker?.variant) return ofSource(worker.variant.source);
    if (functionId === 'deliver-webhook') return verb === 'open' ? ['webhook'] : [];
    if (verb === 'open') return functionId === 'open-connect-session' ? ['connect link'] : [];
    if (['create-connection', 'update-connection', 'submit-credentials'].includes(functionId)) return OF_CONNECTIONS;
    if (functionId === 'create-connect-link') return ['connect link'];
    return ['create-webhook', 'roll-webhook-secret'].includes(functionId) ? ['webhook'] : [];
  };

  it.each(FUNCTIONS)('$functionId opens and closes its own kind of secret, its own source’s, and no other', (fn) => {
    expect(secretsFor(fn.functionId, 'kms:Decrypt')).toEqual(expected(fn.functionId, 'open'));
    expect(secretsFor(fn.functionId, 'kms:GenerateDataKey')).toEqual(expected(fn.functionId, 'close'));
  });

  it('nobody uses the key of secrets without saying for what, or in another way', () => {
    const context = { 'kms:ViaService': 'dynamodb.AWS::Region.amazonaws.com' };
    for (const { functionId } of FUNCTIONS) {
      for (const action of [
        'kms:Decrypt',
        'kms:GenerateDataKey',
        'kms:Encrypt',
        'kms:ReEncryptFrom',
        'kms:CreateGrant',
      ]) {
        expect(may(functionId, { action, resource: key }), functionId).toBe(false);
        expect(may(functionId, { action, resource: key, context }), functionId).toBe(false);
      }
    }
  });

  const readers = FUNCTIONS.filter(
    (fn) => fn.kind === 'endpoint' && fn.contract.method === 'GET' && fn.contract.needs.includes('table:read'),
  );

  it.each(readers)(
    '$functionId can delete and put nothing, and change only the last use and counters',
    ({ functionId, contract }) => {
      const act = (name: string, context?: Call['context']): boolean =>
        may(functionId, { action: `dynamodb:${name}`, resource: table, ...(context ? { context } : {}) });
      for (const name of [
        'DeleteItem',
        'BatchWriteItem',
        'PutItem',
        'ConditionCheckItem',
        'PartiQLDelete',
        'DeleteTable',
      ])
        expect(act(name), name).toBe(false);
      const stamp = ['pk', 'sk', 'last_used_at'];
      expect(act('Query')).toBe(true);
      expect(act('UpdateItem', { 'dynamodb:Attributes': stamp })).toBe(true);
      expect(act('UpdateItem', { 'dynamodb:Attributes': [...stamp, 'revoked_at'] })).toBe(false);
      expect(act('UpdateItem')).toBe(false);
      const counts = contract.needs.includes('table:count');
      const { pk } = keys.reads(ID, 'programs', 1);
      expect(act('UpdateItem', { 'dynamodb:LeadingKeys': [pk], 'dynamodb:Attributes': ['reads'] })).toBe(counts);
      const others = [keys.apiKey(ID, ID).pk, keys.token('f00d').pk, `${pk}S`];
      for (const other of others)
        expect(act('UpdateItem', { 'dynamodb:LeadingKeys': [other], 'dynamodb:Attributes': ['reads'] })).toBe(false);
      expect(act('UpdateItem', { 'dynamodb:LeadingKeys': [pk, others[0]!] })).toBe(false);
    },
  );

  /** Kinds of queues that a function may send to: its own, those of its source's scopes, or all of them. */
  const mayBeSentBy = (functionId: string): string[] => {
    const worker = WORKER_FUNCTIONS.find((fn) => fn.functionId === functionId);
    const all = WORKER_FUNCTIONS.flatMap(({ variant, functionId: queue }) =>
      variant === null ? [] : [{ queue, ...variant }],
    );
    if (worker?.variant) {
      const own = all.filter(({ source }) => source === worker.variant!.source).map(({ queue }) => queue);
      return ['webhook-deliveries', ...own];
    }
    const others: Record<string, string[]> = {
      'deliver-webhook': ['webhook-deliveries'],
      'dispatch-sync': all.map(({ queue }) => queue),
      'purge-connection': ['purges'],
      sweep: ['purges', 'sync-requests', 'webhook-deliveries', ...all.map(({ queue }) => queue)],
      'delete-connection': ['purges'],
      'start-sync': ['sync-requests'],
      'submit-credentials': ['sync-requests'],
      'resend-webhook-delivery': ['webhook-deliveries'],
      'test-webhook': ['webhook-deliveries'],
    };
    return others[functionId] ?? [];
  };

  it.each(FUNCTIONS)('$functionId sends to the queues of its work, a scope only to those of its source', (fn) => {
    const to = QUEUE_CONSUMERS.map(({ queue }) => queue).filter((queue) =>
      may(fn.functionId, { action: 'sqs:SendMessage', resource: byName('sqs', `data-connections-${stage}-${queue}`) }),
    );
    expect(to.toSorted()).toEqual(mayBeSentBy(fn.functionId).toSorted());
  });

  it('nobody sends to dead letters, or to a queue of another stage', () => {
    for (const { functionId } of FUNCTIONS)
      for (const name of [
        ...DEAD_LETTERS.map((queue) => `data-connections-${stage}-${queue}-dead-letters`),
        ...QUEUE_CONSUMERS.map(({ queue }) => `data-connections-other-${queue}`),
      ])
        expect(may(functionId, { action: 'sqs:SendMessage', resource: byName('sqs', name) }), functionId).toBe(false);
  });

  it('only these delete items', () => {
    const deleting = FUNCTIONS.filter(({ functionId }) =>
      ['DeleteItem', 'BatchWriteItem'].some((name) => may(functionId, { action: `dynamodb:${name}`, resource: table })),
    ).map(({ functionId }) => functionId);
    const syncs = WORKER_FUNCTIONS.filter(({ variant }) => variant !== null).map(({ functionId }) => functionId);
    expect(deleting.toSorted()).toEqual(
      // New credentials end a membership (`update-connection`, `submit-credentials`); `set-schedule` carries the same change.
      [
        ...[
          'delete-connection',
          'delete-webhook',
          'purge-connection',
          'set-schedule',
          'submit-credentials',
          'sweep',
          'update-connection',
        ],
        ...syncs,
      ].toSorted(),
    );
  });

  it('lists of connections write only the notes and snapshots of connections', () => {
    const bucket = onlyOne(stage, 'AWS::S3::Bucket', /^RawAnswers/);
    const snapshot = `${bucket}/${SNAPSHOT_FOLDER}/${ID}/${ID}`;
    const { pk } = listedKeys.connectionSnapshot(ID);
    const lists = ['list-connections', 'list-coverage'];
    for (const action of ['DeleteItem', 'PutItem'].map((name) => `dynamodb:${name}`)) {
      const on = (...keysOf: string[]) => ({ action, resource: table, context: { 'dynamodb:LeadingKeys': keysOf } });
      for (const functionId of lists) {
        expect(may(functionId, on(pk)), functionId).toBe(true);
        const reference = keys.connectionEntry(ID, ['REFERENCE', 'a#LISTED'], ID).pk;
        for (const others of [[keys.connection(ID, ID).pk], [reference], [`${pk}S`], [pk, keys.token('f00d').pk]])
          expect(may(functionId, on(...others)), functionId).toBe(false);
        expect(may(functionId, { action, resource: table }), functionId).toBe(false);
      }
    }
    for (const { functionId, contract } of FUNCTIONS)
      for (const verb of ['Get', 'Put']) {
        const action = `s3:${verb}Object`;
        const isOfAnswers = contract.needs.some((need) => need.startsWith('raw-answers:'));
        if (!isOfAnswers) expect(may(functionId, { action, resource: snapshot })).toBe(lists.includes(functionId));
        if (lists.includes(functionId)) expect(may(functionId, { action, resource: `${bucket}/${ID}/a` })).toBe(false);
      }
  });

  it('only readers of raw answers, who need the 404 of a missing one, and a purge may list the bucket', () => {
    const bucket = onlyOne(stage, 'AWS::S3::Bucket', /^RawAnswers/);
    for (const { functionId, contract } of FUNCTIONS) {
      const reads = may(functionId, { action: 's3:GetObject', resource: `${bucket}/a/b` });
      expect(reads, functionId).toBe(contract.needs.includes('raw-answers:read'));
      expect(may(functionId, { action: 's3:ListBucket', resource: bucket }), functionId).toBe(
        reads || functionId === 'purge-connection',
      );
    }
  });
});
