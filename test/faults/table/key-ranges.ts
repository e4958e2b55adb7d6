/** Key conditions in the four forms that shared/table/table.ts writes. */
import { validation } from './errors.ts';
import { UnknownExpression } from './expressions.ts';
import type { QueryInput } from './query-input.ts';
import { compare } from './values.ts';

interface Range {
  partition: string;
  hash: 'pk' | 'due_pk';
  sort: 'sk' | 'due_sk';
  isWanted: (sk: string) => boolean;
}

const FORM =
  /^(pk|due_pk) = (:\w+)(?: AND (?:(sk|due_sk) (<=|>=) (:\w+)|sk BETWEEN (:\w+) AND (:\w+)|begins_with\(sk, (:\w+)\)))?$/;

export const rangeOf = ({
  KeyConditionExpression,
  ExpressionAttributeValues: values,
  IndexName,
}: QueryInput): Range => {
  const match = FORM.exec(KeyConditionExpression);
  if (!match) throw new UnknownExpression(KeyConditionExpression);
  const [, hash, partition, , operator, bound, from, to, prefix] = match;
  if ((hash === 'due_pk') !== (IndexName !== undefined)) throw new UnknownExpression(KeyConditionExpression);
  const value = (name: string): string => {
    const found = values[name];
    if (found === undefined) throw new UnknownExpression(`no value ${name}`);
    return found;
  };
  if (from !== undefined && to !== undefined && compare(value(from), value(to)) > 0)
    throw validation('BETWEEN requires an upper bound that is not below the lower bound');
  const isWanted = (sk: string): boolean => {
    if (prefix !== undefined) return sk.startsWith(value(prefix));
    if (from !== undefined && to !== undefined) return compare(sk, value(from)) >= 0 && compare(sk, value(to)) <= 0;
    if (bound === undefined) return true;
    return operator === '<=' ? compare(sk, value(bound)) <= 0 : compare(sk, value(bound)) >= 0;
  };
  return {
    partition: value(partition!),
    hash: hash as Range['hash'],
    sort: hash === 'pk' ? 'sk' : 'due_sk',
    isWanted,
  };
};
