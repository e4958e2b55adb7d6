/**
 * The AWS calls in each function's code, compared with its role. The calls are read from the bundles: esbuild removes
 * every command that no code of the function sends. (`npm run bundle` writes the metadata that this test reads.)
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BundleMeta, META_FILE } from '#infra/bundle.ts';
import {
  EMPTY_FUNCTION,
  FUNCTIONS,
  type FunctionManifest,
  PUBLISH_FUNCTION,
  SANDBOX_FUNCTION,
} from '#infra/manifest.ts';
import { PERMISSIONS_PAGE, permissionTable } from '#tools/permission-table.ts';
import { sandboxTemplate, templatesOf, webTemplate } from './synthesized.ts';

const ROOT = join(import.meta.dirname, '../..');
const meta = JSON.parse(readFileSync(META_FILE, 'utf8')) as BundleMeta;
const page = permissionTable([
  ...templatesOf('prod').values(),
  sandboxTemplate(),
  webTemplate(),
  templatesOf('dev').get('data')!,
]);

/**
 * Functions without a credential check contain the same handler stack as all others, but call only its parameter, and
 * that only with a shared secret.
 */
const callsNothing = (fn: FunctionManifest): boolean =>
  fn.kind === 'endpoint' &&
  fn.contract.auth === 'public' &&
  fn.contract.needs.every((need) => need === 'sessions:verify' || need === 'security-contact');

/** Reads of the credential check, which a function for everybody contains and never calls. */
const FOR_CREDENTIALS = new Set(['dynamodb:GetItem', 'dynamodb:Query']);

const isForEverybody = (fn: FunctionManifest): boolean => fn.kind === 'endpoint' && fn.contract.auth === 'public';

/** Actions that are named differently from their command; a transaction is authorized by the actions in it. */
const ACTIONS: Readonly<Record<string, string[]>> = {
  'dynamodb:TransactGetItems': ['dynamodb:GetItem'],
  'dynamodb:TransactWriteItems': [
    'dynamodb:ConditionCheckItem',
    'dynamodb:DeleteItem',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
  ],
  's3:ListObjectsV2': ['s3:ListBucket'],
  's3:DeleteObjects': ['s3:DeleteObject'],
  's3:CopyObject': ['s3:GetObject', 's3:PutObject'],
};
/** By AWS's documents, a missing object is a 404 for a caller who may list the bucket, and a 403 for others. */
const isAnswerOfMissing = (action: string, called: ReadonlySet<string>): boolean =>
  action === 's3:ListBucket' && called.has('s3:GetObject');

/** Parts of the SDK's own machinery that our code never uses; only the encryption library calls KMS. */
const NEVER = /^(?:kms:.*|dynamodb:(?:Scan|DescribeEndpoints)|s3:CreateSession)$/;

const commandsOf = (functionId: string): string[] => {
  const { inputs } = meta.functions[functionId]!;
  const commands = Object.entries(inputs).flatMap(([path, bytes]) => {
    const [, client, command] = /@aws-sdk\/client-([a-z0-9]+)\/.*\/commands\/(\w+)Command\.js$/.exec(path) ?? [];
    return bytes > 0 && client ? [`${client}:${command}`] : [];
  });
  return commands.filter((each) => !NEVER.test(each));
};

const calledBy = (functionId: string): string[] => [
  ...new Set(commandsOf(functionId).flatMap((each) => ACTIONS[each] ?? [each])),
];

/** Calls outside of transactions. */
const calledAlone = (functionId: string): string[] =>
  commandsOf(functionId).filter((each) => each !== 'dynamodb:TransactWriteItems');

/** Calls for POSTs, whose first answer is stored: every endpoint contains this code. */
const FOR_POSTS = new Set(['dynamodb:ConditionCheckItem', 'dynamodb:PutItem']);

const isRead = (fn: FunctionManifest): boolean => fn.kind === 'endpoint' && fn.contract.method === 'GET';

/**
 * Items that a transaction removes; attributes that an update removes are a list. As a later property only a dotted
 * name counts, because the SDK's own middleware has a plain `remove` there, and so has an update with a list in a
 * variable.
 */
const REMOVED_ITEM = /\{remove:[\w$]+[(},]|[{,]remove:[\w$]+(?:\.[\w$]+)+[(},]/;

it.each(['{remove:a}', '{remove:a,if:b}', '{remove:a(b)}', '{remove:a.b}', '{remove:a.b.c(d)}', '{if:a,remove:b.c}'])(
  'takes %s for the removal of an item',
  (code) => {
    expect(code).toMatch(REMOVED_ITEM);
  },
);

it.each(['{update:a,remove:["b"]}', '{remove:["b"]}', '{add:a,remove:b(c=>c),use:d}', '{update:a,remove:b,if:c}'])(
  'does not take %s for the removal of an item',
  (code) => {
    expect(code).not.toMatch(REMOVED_ITEM);
  },
);

/** Whether its code deletes single items. Read from the bundle, which does not rename properties. */
const deletes = (functionId: string): boolean =>
  calledAlone(functionId).includes('dynamodb:DeleteItem') ||
  REMOVED_ITEM.test(readFileSync(join(ROOT, 'dist/functions', functionId, 'index.mjs'), 'utf8'));

const allowedTo = (functionId: string): Set<string> => {
  const rows = page.split('\n').filter((line) => line.startsWith(`| ${functionId} |`));
  return new Set(rows.flatMap((line) => line.split(' | ')[1]!.split(' ')));
};

describe.each(FUNCTIONS)('$functionId', (fn) => {
  it('calls nothing that its role does not allow', () => {
    const allowed = allowedTo(fn.functionId);
    expect(allowed.size).toBeGreaterThan(0);
    const calls = (callsNothing(fn) ? [] : calledBy(fn.functionId)).filter(
      (action) =>
        action !== 'dynamodb:DeleteItem' &&
        !(isRead(fn) && FOR_POSTS.has(action)) &&
        !(isForEverybody(fn) && FOR_CREDENTIALS.has(action)),
    );
    expect(calls.filter((action) => !allowed.has(action))).toEqual([]);
  });

  it('may delete items if its code does, and only then', () => {
    const allowed = allowedTo(fn.functionId);
    expect(allowed.has('dynamodb:DeleteItem')).toBe(deletes(fn.functionId));
    expect(allowed.has('dynamodb:BatchWriteItem')).toBe(calledAlone(fn.functionId).includes('dynamodb:BatchWriteItem'));
  });

  it('may write, send and schedule only what its code can', () => {
    const called = new Set(calledBy(fn.functionId));
    const services = /^(?:sqs:SendMessage|scheduler:|s3:(?:Put|Delete|List)|dynamodb:(?:Update|Delete)Item)/;
    const consumer = /^sqs:(?:Receive|Delete|Change|GetQueue)/;
    const idle = [...allowedTo(fn.functionId)].filter(
      (action) =>
        services.test(action) && !consumer.test(action) && !called.has(action) && !isAnswerOfMissing(action, called),
    );
    expect(idle).toEqual([]);
  });
});

it('the simulated institutions read and write what they remember, and nothing else', () => {
  const services = calledBy(SANDBOX_FUNCTION.functionId).map((action) => action.split(':')[0]);
  expect(new Set(services)).toEqual(new Set(['dynamodb']));
  const own = [...allowedTo(SANDBOX_FUNCTION.functionId)].filter((action) => !/^(?:logs|xray):/.test(action));
  expect(own.sort()).toEqual(['dynamodb:GetItem', 'dynamodb:PutItem']);
});

it('the function that copies the files of the dashboard may do only what it calls', () => {
  const own = [...allowedTo(PUBLISH_FUNCTION.functionId)].filter((action) => !/^(?:logs|xray):/.test(action));
  expect(own.sort()).toEqual(['s3:DeleteObject', 's3:GetObject', 's3:ListBucket', 's3:PutObject']);
  expect(calledBy(PUBLISH_FUNCTION.functionId).sort()).toEqual(own);
});

it('the function that empties buckets may do only what it calls, and ask for the state of its own stack', () => {
  const own = [...allowedTo(EMPTY_FUNCTION.functionId)].filter((action) => !/^(?:logs|xray):/.test(action));
  expect(own.sort()).toEqual(['cloudformation:DescribeStacks', 's3:DeleteObject', 's3:ListBucket']);
  expect(calledBy(EMPTY_FUNCTION.functionId).sort()).toEqual(['s3:DeleteObject', 's3:ListBucket']);
  const row = page.split('\n').find((line) => line.startsWith('| empty-bucket | cloudformation:'));
  expect(row).toContain('| {StackId} |');
});

it('is written in the committed table, whose difference is reviewed', () => {
  expect(readFileSync(join(ROOT, PERMISSIONS_PAGE), 'utf8'), 'run `npm run gen`').toBe(page);
});
