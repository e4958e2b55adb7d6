/** The simulated table of the fault simulation answers and refuses like a real table engine, command by command. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Change, conditionExpression, updateExpression } from '#shared/table/expressions.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { IS_WHOLE, runs } from '#test/helpers/effort.ts';
import { SimulatedTable } from '../../faults/table/simulated-table.ts';

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

const sortKeys = ['A#1', 'A#2', 'B', 'ñ', '~'];
const anyKey = (world: string) =>
  fc.record({ pk: fc.constantFrom(`${world}-1`, `${world}-2`), sk: fc.constantFrom(...sortKeys) });
const anyValue = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('', 'a', 'b', 'ä', 'queued'),
  fc.boolean(),
  fc.constant(null),
  fc.uint8Array({ maxLength: 3 }),
  fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }).map((list) => new Set(list)),
  fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
);
const anyItem = (world: string) =>
  fc
    .record({
      key: anyKey(world),
      rest: fc.record(
        {
          n: fc.integer({ min: 0, max: 3 }),
          v: anyValue,
          set: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }).map((list) => new Set(list)),
          map: fc.record({ inner: fc.integer({ min: 0, max: 2 }), gone: fc.constant(undefined) }),
          due: fc.constantFrom('1', '2', '3'),
        },
        { requiredKeys: [] },
      ),
    })
    .map(({ key, rest: { due, ...rest } }) => ({
      ...key,
      ...rest,
      ...(due === undefined ? {} : { due_pk: `DUE#${world}`, due_sk: due }),
    }));

const CONDITIONS = [
  'attribute_not_exists(pk)',
  'attribute_exists(pk)',
  'attribute_exists(pk) AND #n = :a',
  '#v = :v',
  '#v <> :v',
  '#n < :a OR attribute_not_exists(#n)',
  '(attribute_not_exists(pk) OR #n <= :a) AND (attribute_not_exists(#set) OR size(#set) < :a)',
  'attribute_exists(pk) AND (attribute_not_exists(#set) OR size(#set) > :a)',
  '#map.#inner = :a AND attribute_exists(#map)',
  '#v >= :v',
  'contains(#set, :x) OR (attribute_exists(pk) AND size(#set) < :a)',
  '(#n = :a) OR (contains(#set, :x) AND attribute_not_exists(#map))',
];
const anyCondition = fc.option(
  fc
    .record({ text: fc.constantFrom(...CONDITIONS), a: fc.nat(3), v: anyValue, x: fc.constantFrom('x', 'y', 'z') })
    .map((made) => ({
      if: made.text,
      // DynamoDB refuses unused values.
      values: Object.fromEntries(Object.entries(made).filter(([name]) => made.text.includes(`:${name}`))),
    })),
  { nil: {}, freq: 2 },
);
const anyChange: fc.Arbitrary<Change> = fc
  .record({
    set: fc.option(fc.record({ v: anyValue, w: fc.integer({ min: 0, max: 9 }) }, { requiredKeys: ['v'] })),
    inner: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 1 }),
    n: fc.option(fc.integer({ min: -2, max: 2 })),
    elements: fc.option(fc.constantFrom('x', 'y', 'z')),
    takes: fc.boolean(),
    remove: fc.boolean(),
  })
  .map(({ set, inner, n, elements, takes, remove }) => ({
    set: { ...(set ?? {}), ...(inner === null ? {} : { 'map.inner': inner }), touched: 1 },
    add: { ...(n === null ? {} : { n }), ...(elements && !takes ? { set: new Set([elements]) } : {}) },
    take: elements && takes ? { set: new Set([elements]) } : {},
    remove: remove ? ['extra'] : [],
  }));

const TableName = () => real.tableName;

const COMMANDS = {
  Get: GetCommand,
  Put: PutCommand,
  Update: UpdateCommand,
  Delete: DeleteCommand,
  Query: QueryCommand,
  BatchGet: BatchGetCommand,
  BatchWrite: BatchWriteCommand,
  TransactWrite: TransactWriteCommand,
};

/** Plain data, so that a counterexample can be read. */
interface Asked {
  name: keyof typeof COMMANDS;
  input: Record<string, unknown>;
}

const commandOf = ({ name, input }: Asked) => new COMMANDS[name](input as never);

const anyCommand = (world: string): fc.Arbitrary<Asked> => {
  const key = anyKey(world);
  const write = fc.oneof(
    fc.tuple(anyItem(world), anyCondition).map(([Item, condition]) => ({
      Put: { TableName: TableName(), Item, ...conditionExpression(condition) },
    })),
    fc.tuple(key, anyChange, anyCondition).map(([Key, change, condition]) => ({
      Update: { TableName: TableName(), Key, ...updateExpression({ ...change, ...condition }) },
    })),
    fc.tuple(key, anyCondition).map(([Key, condition]) => ({
      Delete: { TableName: TableName(), Key, ...conditionExpression(condition) },
    })),
    fc.tuple(key, fc.constantFrom(...CONDITIONS.slice(0, 2))).map(([Key, text]) => ({
      ConditionCheck: { TableName: TableName(), Key, ...conditionExpression({ if: text }) },
    })),
  );
  const range = fc.constantFrom<[string, Record<string, string>]>(
    ['', {}],
    [' AND sk BETWEEN :from AND :to', { ':from': 'A#2', ':to': 'ñ' }],
    [' AND sk <= :to', { ':to': 'B' }],
    [' AND sk >= :from', { ':from': 'B' }],
    [' AND begins_with(sk, :prefix)', { ':prefix': 'A#' }],
  );
  const asked = (name: Asked['name']) => (input: Record<string, unknown>) => ({
    name,
    input: { TableName: TableName(), ...input },
  });
  const batch = (name: Asked['name']) => (request: unknown) => ({
    name,
    input: { RequestItems: { [TableName()]: request } },
  });
  return fc.oneof(
    fc
      .tuple(anyItem(world), anyCondition)
      .map(([Item, condition]) => ({ Item, ...conditionExpression(condition) }))
      .map(asked('Put')),
    fc
      .tuple(key, anyChange, anyCondition)
      .map(([Key, change, condition]) => ({
        Key,
        ReturnValues: 'ALL_NEW',
        ...updateExpression({ ...change, ...condition }),
      }))
      .map(asked('Update')),
    fc
      .tuple(key, anyCondition)
      .map(([Key, condition]) => ({ Key, ...conditionExpression(condition) }))
      .map(asked('Delete')),
    key.map((Key) => ({ Key, ConsistentRead: true })).map(asked('Get')),
    fc
      .array(write, { minLength: 1, maxLength: 4 })
      .map((TransactItems) => ({ name: 'TransactWrite' as const, input: { TransactItems } })),
    fc
      .array(
        fc.oneof(
          anyItem(world).map((Item) => ({ PutRequest: { Item } })),
          key.map((Key) => ({ DeleteRequest: { Key } })),
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map(batch('BatchWrite')),
    fc
      .array(key, { minLength: 1, maxLength: 5 })
      .map((Keys) => ({ Keys, ConsistentRead: true }))
      .map(batch('BatchGet')),
    fc
      .tuple(
        fc.constantFrom(`${world}-1`, `${world}-2`),
        range,
        fc.boolean(),
        fc.option(fc.integer({ min: 1, max: 3 })),
      )
      .map(([pk, [condition, values], forward, limit]) => ({
        KeyConditionExpression: `pk = :pk${condition}`,
        ExpressionAttributeValues: { ':pk': pk, ...values },
        ScanIndexForward: forward,
        ConsistentRead: true,
        ProjectionExpression: '#pk, #sk, #n',
        ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk', '#n': 'n' },
        ...(limit === null ? {} : { Limit: limit }),
      }))
      .map(asked('Query')),
    fc
      .constantFrom('1', '2', '3')
      .map((due) => ({
        IndexName: 'due',
        KeyConditionExpression: 'due_pk = :pk AND due_sk <= :due',
        ExpressionAttributeValues: { ':pk': `DUE#${world}`, ':due': due },
      }))
      .map(asked('Query')),
  );
};

type Told = { answer: unknown } | { refused: string; codes?: (string | undefined)[] };

const MANY = ['Items', 'Responses'];

/** Removes permitted differences: request ids, counts, the order of a batch, of equal keys, and within sets. */
const comparable = (value: unknown, isUnordered = false): unknown => {
  if (value instanceof Set) return { set: [...value].sort() };
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (Array.isArray(value)) {
    const list = value.map((one) => comparable(one));
    return isUnordered ? list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : list;
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => [name, comparable(inner, isUnordered)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
};

const judged = async (send: () => unknown, isIndex: boolean): Promise<Told> => {
  try {
    const answer = (await send()) as Record<string, unknown>;
    const kept = Object.entries(answer).filter(([name]) => ['Item', 'Attributes', ...MANY].includes(name));
    // Every answer of a batch is a set; so is an answer of the index when due times are equal.
    return { answer: comparable(Object.fromEntries(kept), 'Responses' in answer || isIndex) };
  } catch (error) {
    const { name, CancellationReasons: reasons } = error as Error & { CancellationReasons?: { Code?: string }[] };
    return { refused: name, ...(reasons ? { codes: reasons.map(({ Code }) => Code) } : {}) };
  }
};

let worlds = 0;

test('random commands are answered and refused alike', { timeout: 120_000 }, async () => {
  const anyHistory = fc.nat().chain(() => {
    const world = `w${worlds++}`;
    return fc.tuple(fc.constant(world), fc.array(anyCommand(world), { minLength: 20, maxLength: 40, size: 'max' }));
  });
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(anyHistory, async ([world, commands]) => {
      // Shrinking runs a history again, so its partitions are emptied first.
      const simulated = new SimulatedTable();
      for (const pk of [`${world}-1`, `${world}-2`])
        for (const sk of sortKeys) await client.send(new DeleteCommand({ TableName: TableName(), Key: { pk, sk } }));
      for (const command of commands) {
        const isIndex = command.input.IndexName !== undefined;
        const expected = await judged(() => client.send(commandOf(command) as never), isIndex);
        const told = await judged(() => simulated.send(commandOf(command)), isIndex);
        expect(told, JSON.stringify(command)).toEqual(expected);
        const kind = `${command.name} ${'refused' in expected ? expected.refused : 'answered'}`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
    }),
    // Fewer histories would not meet every refusal below.
    { numRuns: IS_WHOLE ? Math.max(60, runs(60)) : 20 },
  );
  // A test that never meets a refusal proves nothing about refusals.
  for (const kind of [
    'Put answered',
    'Put ConditionalCheckFailedException',
    'Update answered',
    'Update ConditionalCheckFailedException',
    'Delete answered',
    'Delete ConditionalCheckFailedException',
    'TransactWrite answered',
    'TransactWrite TransactionCanceledException',
    'TransactWrite ValidationException',
    'BatchWrite answered',
    'BatchWrite ValidationException',
    'BatchGet answered',
    'BatchGet ValidationException',
    'Query answered',
    'Get answered',
  ])
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(3);
});
