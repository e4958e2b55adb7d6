/** The policy evaluator itself: each supported rule of IAM, met and not met. */
import { expect, it } from 'vitest';
import { type Call, isAllowed, type Statement } from './iam-policies.ts';

const allow = (rest: Partial<Statement> = {}): Statement => ({
  Effect: 'Allow',
  Action: 'kms:Decrypt',
  Resource: 'arn:key',
  ...rest,
});
const deny = (rest: Partial<Statement> = {}): Statement => ({ ...allow(rest), Effect: 'Deny' });
const call = (rest: Partial<Call> = {}): Call => ({ action: 'kms:Decrypt', resource: 'arn:key', ...rest });

const like = { StringLike: { 'kms:EncryptionContext:resource': 'connection/tax/*' } };
const of = (resource: string) => call({ context: { 'kms:EncryptionContext:resource': resource } });
const only = { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk'] } };
const named = { ...only, Null: { 'dynamodb:Attributes': 'false' } };

const RULES: [string, boolean, Statement[], Call][] = [
  ['nothing said is refused', false, [], call()],
  ['an allowed call', true, [allow()], call()],
  ['another action', false, [allow()], call({ action: 'kms:Encrypt' })],
  ['another resource', false, [allow()], call({ resource: 'arn:other' })],
  ['one of several actions', true, [allow({ Action: ['kms:Encrypt', 'kms:Decrypt'] })], call()],
  ['one of several resources', true, [allow({ Resource: ['arn:a', 'arn:key'] })], call()],
  ['an action by wildcard, in any case', true, [allow({ Action: 'KMS:De*' })], call()],
  ['a wildcard that does not reach', false, [allow({ Action: 'kms:Enc*' })], call()],
  ['a resource by wildcard', true, [allow({ Resource: 'arn:bucket/*' })], call({ resource: 'arn:bucket/a/b' })],
  ['the bucket is none of its objects', false, [allow({ Resource: 'arn:bucket/*' })], call({ resource: 'arn:bucket' })],
  ['marks of expressions are letters', false, [allow({ Resource: 'arn.key' })], call({ resource: 'arn:key' })],
  ['one character', true, [allow({ Resource: 'arn:ke?' })], call()],
  ['everything', true, [allow({ Action: '*', Resource: '*' })], call()],
  ['a Deny wins, whatever its place', false, [deny(), allow()], call()],
  ['a Deny wins after an Allow', false, [allow(), deny({ Action: '*', Resource: '*' })], call()],
  ['a Deny of something else', true, [allow(), deny({ Resource: 'arn:other' })], call()],
  ['a Deny whose condition does not hold', true, [allow(), deny({ Condition: like })], of('webhook/1')],
  ['a Deny whose condition holds', false, [allow(), deny({ Condition: like })], of('connection/tax/1')],
  ['StringLike, met', true, [allow({ Condition: like })], of('connection/tax/1')],
  ['StringLike over slashes', true, [allow({ Condition: like })], of('connection/tax/session/1')],
  ['StringLike, another source', false, [allow({ Condition: like })], of('connection/bankone/1')],
  ['StringLike, a source that begins so', false, [allow({ Condition: like })], of('connection/taxes/1')],
  ['StringLike knows case', false, [allow({ Condition: like })], of('Connection/tax/1')],
  ['StringLike without the key', false, [allow({ Condition: like })], call()],
  [
    'StringEquals, met',
    true,
    [allow({ Condition: { StringEquals: { a: ['x', 'y'] } } })],
    call({ context: { a: 'y' } }),
  ],
  ['StringEquals takes no wildcard', false, [allow({ Condition: { StringEquals: { a: '*' } } })], of('y')],
  [
    'two conditions, one of them not met',
    false,
    [allow({ Condition: { ...like, StringEquals: { a: 'x' } } })],
    of('connection/tax/1'),
  ],
  [
    'ForAllValues, all of them known',
    true,
    [allow({ Condition: only })],
    call({ context: { 'dynamodb:Attributes': ['sk'] } }),
  ],
  [
    'ForAllValues, one too many',
    false,
    [allow({ Condition: only })],
    call({ context: { 'dynamodb:Attributes': ['pk', 'x'] } }),
  ],
  ['ForAllValues without the key holds', true, [allow({ Condition: only })], call()],
  ['Null false, without the key', false, [allow({ Condition: named })], call()],
  [
    'Null false, with the key',
    true,
    [allow({ Condition: named })],
    call({ context: { 'dynamodb:Attributes': ['sk'] } }),
  ],
  ['Null true, without the key', true, [allow({ Condition: { Null: { a: 'true' } } })], call()],
  ['Null true, with the key', false, [allow({ Condition: { Null: { a: 'true' } } })], call({ context: { a: 'x' } })],
];

it.each(RULES)('%s: %s', (_rule, allowed, statements, asked) => {
  expect(isAllowed(statements, asked)).toBe(allowed);
});

it('refuses rules that it does not know', () => {
  expect(() => isAllowed([allow({ Condition: { IpAddress: { a: 'x' } } })], call())).toThrow('IpAddress');
  expect(() => isAllowed([{ ...allow(), NotAction: 'x' } as Statement], call())).toThrow('NotAction');
});
