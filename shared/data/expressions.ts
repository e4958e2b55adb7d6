/**
 * Pure building of DynamoDB expressions, so that keys and conditions are unit-tested without a table. In conditions,
 * `#name` stands for the attribute of that name and `:value` for an entry of `values`.
 */
import type { NativeAttributeValue } from '@aws-sdk/lib-dynamodb';

export type Values = Record<string, NativeAttributeValue>;

export interface Condition {
  /** e.g. `#status = :queued AND attribute_exists(pk)` */
  if?: string;
  values?: Values;
}

export interface Change extends Condition {
  set?: Values;
  /** Adds to a number (an absent one counts as 0) or to a set of strings or numbers. */
  add?: Record<string, number | ReadonlySet<string> | ReadonlySet<number>>;
  /** Takes out of a string set. */
  take?: Record<string, ReadonlySet<string>>;
  remove?: readonly string[];
}

interface Expression {
  ConditionExpression?: string;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Values;
}

const namesIn = (text: string): string[] => [...text.matchAll(/#(\w+)/g)].map((match) => match[1]!);

const withNames = (expression: Expression): Expression => {
  const text = `${expression.ConditionExpression ?? ''} ${expression.UpdateExpression ?? ''}`;
  const names = Object.fromEntries(namesIn(text).map((name) => [`#${name}`, name]));
  if (Object.keys(names).length > 0) expression.ExpressionAttributeNames = names;
  if (Object.keys(expression.ExpressionAttributeValues ?? {}).length === 0) delete expression.ExpressionAttributeValues;
  return expression;
};

const colon = (values: Values | undefined): Values =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [`:${name}`, value]));

export const conditionExpression = (condition: Condition | undefined): Expression =>
  condition?.if === undefined
    ? {}
    : withNames({ ConditionExpression: condition.if, ExpressionAttributeValues: colon(condition.values) });

/** `undefined` in `set` is left alone; give `remove` to take an attribute away. */
export const updateExpression = (change: Change): Expression => {
  const values = colon(change.values);
  const clauses: string[] = [];
  const sets = Object.entries(change.set ?? {}).filter(([, value]) => value !== undefined);
  if (sets.length > 0) {
    clauses.push(`SET ${sets.map(([name]) => `${path(name)} = :set_${flat(name)}`).join(', ')}`);
    for (const [name, value] of sets) values[`:set_${flat(name)}`] = value;
  }
  const adds = Object.entries(change.add ?? {});
  if (adds.length > 0) {
    clauses.push(`ADD ${adds.map(([name]) => `${path(name)} :add_${flat(name)}`).join(', ')}`);
    for (const [name, value] of adds) values[`:add_${flat(name)}`] = value;
  }
  const takes = Object.entries(change.take ?? {});
  if (takes.length > 0) {
    clauses.push(`DELETE ${takes.map(([name]) => `${path(name)} :take_${flat(name)}`).join(', ')}`);
    for (const [name, value] of takes) values[`:take_${flat(name)}`] = value;
  }
  if (change.remove && change.remove.length > 0) clauses.push(`REMOVE ${change.remove.map(path).join(', ')}`);
  return withNames({
    UpdateExpression: clauses.join(' '),
    ...(change.if === undefined ? {} : { ConditionExpression: change.if }),
    ExpressionAttributeValues: values,
  });
};

/** `a.b` → `#a.#b` */
const path = (name: string): string =>
  name
    .split('.')
    .map((part) => `#${part}`)
    .join('.');
const flat = (name: string): string => name.replaceAll('.', '_');
