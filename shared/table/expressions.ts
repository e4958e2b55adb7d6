/**
 * Builds DynamoDB expressions without I/O, so that keys and conditions can be unit-tested without a table. In
 * conditions, `#name` is the attribute of that name and `:value` is an entry of `values`.
 */

export type Values = Record<string, unknown>;

export interface Condition {
  /** Condition of the write, for example `#status = :queued AND attribute_exists(pk)`. */
  if?: string;
  values?: Values;
}

export interface Change extends Condition {
  set?: Values;
  /** Adds to a number (an absent number counts as 0), or to a set of strings or numbers. */
  add?: Record<string, number | ReadonlySet<string> | ReadonlySet<number>>;
  /** Removes values from a string set. */
  take?: Record<string, ReadonlySet<string>>;
  remove?: readonly string[];
}

/**
 * Returns the condition that the attributes have these values, at least one, with values named `was_…`. Undefined: the
 * attribute is absent. Pure.
 */
export const stillAsRead = (attributes: Readonly<Values>): { if: string; values: Values } => {
  const names = Object.keys(attributes);
  const condition = (name: string): string =>
    attributes[name] === undefined ? `attribute_not_exists(#${name})` : `#${name} = :was_${name}`;
  const given = names.filter((name) => attributes[name] !== undefined);
  return {
    if: names.map(condition).join(' AND '),
    values: Object.fromEntries(given.map((name) => [`was_${name}`, attributes[name]])),
  };
};

interface Expression {
  ConditionExpression?: string;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Values;
}

/** Adds `#name` → `name` for every name in the text. */
const addNames = (names: Record<string, string>, text: string): void => {
  for (const [sign] of text.matchAll(/#\w+/g)) names[sign] = sign.slice(1);
};

const addValues = (values: Values, given: Values | undefined): void => {
  for (const name in given) values[`:${name}`] = given[name];
};

const withGiven = (expression: Expression, names: Record<string, string>, values: Values): Expression => {
  if (Object.keys(names).length > 0) expression.ExpressionAttributeNames = names;
  if (Object.keys(values).length > 0) expression.ExpressionAttributeValues = values;
  return expression;
};

export const conditionExpression = (condition: Condition | undefined): Expression => {
  if (condition?.if === undefined) return {};
  const names: Record<string, string> = {};
  const values: Values = {};
  addNames(names, condition.if);
  addValues(values, condition.values);
  return withGiven({ ConditionExpression: condition.if }, names, values);
};

/** Undefined values in `set` are ignored; use `remove` to remove an attribute. */
export const updateExpression = (change: Change): Expression => {
  const names: Record<string, string> = {};
  const values: Values = {};
  const clauses: string[] = [];
  const clause = (verb: string, between: string, prefix: string, given: Readonly<Values> = {}): void => {
    const parts: string[] = [];
    for (const name in given) {
      if (given[name] === undefined) continue;
      const value = `:${prefix}_${name.replaceAll('.', '_')}`;
      values[value] = given[name];
      parts.push(`${path(names, name)}${between}${value}`);
    }
    if (parts.length > 0) clauses.push(`${verb} ${parts.join(', ')}`);
  };
  addValues(values, change.values);
  clause('SET', ' = ', 'set', change.set);
  clause('ADD', ' ', 'add', change.add);
  clause('DELETE', ' ', 'take', change.take);
  if (change.remove && change.remove.length > 0)
    clauses.push(`REMOVE ${change.remove.map((name) => path(names, name)).join(', ')}`);
  const expression: Expression = { UpdateExpression: clauses.join(' ') };
  if (change.if !== undefined) {
    expression.ConditionExpression = change.if;
    addNames(names, change.if);
  }
  return withGiven(expression, names, values);
};

/** Turns `a.b` into `#a.#b`. */
const path = (names: Record<string, string>, name: string): string => {
  const signs = name.split('.').map((part) => `#${part}`);
  for (const sign of signs) names[sign] = sign.slice(1);
  return signs.join('.');
};
