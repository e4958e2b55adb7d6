/**
 * Condition and update expressions as our own code writes them (shared/table/expressions.ts): comparisons, AND, OR,
 * attribute_exists, attribute_not_exists, contains for a set, size, paths; SET, ADD, DELETE and REMOVE with values.
 * Anything else throws: the simulated table must never guess.
 */
import { validation } from './errors.ts';
import type { Item } from './values.ts';
import { compare, isEqual, isSameType, sizeOf } from './values.ts';

interface Names {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

export type Path = readonly string[];
type Operand = (item: Item, values: Record<string, unknown>) => unknown;
type Test = (item: Item, values: Record<string, unknown>) => boolean;

const TOKEN = /\s*(<>|<=|>=|[=<>(),]|[#:]?\w+(?:\.#?\w+)*)/gy;

export class UnknownExpression extends Error {}

const tokensOf = (text: string): string[] => {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const match = TOKEN.exec(text);
    if (!match) throw new UnknownExpression(text);
    tokens.push(match[1]!);
  }
  return tokens;
};

const pathOf = (token: string, names: Record<string, string>): Path =>
  token.split('.').map((part) => {
    if (!part.startsWith('#')) return part;
    const name = names[part];
    if (name === undefined) throw new UnknownExpression(`no name ${part}`);
    return name;
  });

const readPath = (item: Item, path: Path): unknown => {
  let value: unknown = item;
  for (const part of path) value = (value as Record<string, unknown> | undefined | null)?.[part];
  return value;
};

/** Recursive descent: AND binds more tightly than OR. */
class ConditionParser {
  private at = 0;
  private readonly tokens: string[];
  private readonly names: Record<string, string>;

  constructor(text: string, names: Record<string, string>) {
    this.tokens = tokensOf(text);
    this.names = names;
  }

  whole(): Test {
    const test = this.or();
    if (this.at !== this.tokens.length) throw new UnknownExpression(this.tokens.join(' '));
    return test;
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at++;
    return true;
  }

  private next(): string {
    const token = this.tokens[this.at++];
    if (token === undefined) throw new UnknownExpression(this.tokens.join(' '));
    return token;
  }

  private or(): Test {
    const left = this.and();
    if (!this.take('OR')) return left;
    const right = this.or();
    return (item, values) => left(item, values) || right(item, values);
  }

  private and(): Test {
    const left = this.one();
    if (!this.take('AND')) return left;
    const right = this.and();
    return (item, values) => left(item, values) && right(item, values);
  }

  private one(): Test {
    if (this.take('(')) {
      const inner = this.or();
      this.close();
      return inner;
    }
    const word = this.tokens[this.at];
    if (word === 'attribute_exists' || word === 'attribute_not_exists') {
      this.at++;
      const path = this.argument();
      const wanted = word === 'attribute_exists';
      return (item) => (readPath(item, path) !== undefined) === wanted;
    }
    if (word === 'contains') return this.contains();
    const left = this.operand();
    const operator = this.next();
    const right = this.operand();
    return (item, values) => judge(operator, left(item, values), right(item, values));
  }

  /** Supports only sets: our code uses `contains` for nothing else. */
  private contains(): Test {
    this.at++;
    if (!this.take('(')) throw new UnknownExpression(this.tokens.join(' '));
    const path = pathOf(this.next(), this.names);
    if (!this.take(',')) throw new UnknownExpression(this.tokens.join(' '));
    const wanted = this.operand();
    this.close();
    return (item, values) => {
      const set = readPath(item, path);
      if (set !== undefined && !(set instanceof Set)) throw new UnknownExpression('contains of no set');
      return set?.has(wanted(item, values)) ?? false;
    };
  }

  private close(): void {
    if (!this.take(')')) throw new UnknownExpression(this.tokens.join(' '));
  }

  private argument(): Path {
    if (!this.take('(')) throw new UnknownExpression(this.tokens.join(' '));
    const path = pathOf(this.next(), this.names);
    this.close();
    return path;
  }

  private operand(): Operand {
    const token = this.next();
    if (token === 'size') {
      const path = this.argument();
      return (item) => sizeOf(readPath(item, path));
    }
    if (token.startsWith(':')) {
      return (_, values) => {
        if (!(token in values)) throw new UnknownExpression(`no value ${token}`);
        return values[token];
      };
    }
    const path = pathOf(token, this.names);
    return (item) => readPath(item, path);
  }
}

/** With a missing operand, every comparison except `<>` is false. */
const judge = (operator: string, left: unknown, right: unknown): boolean => {
  if (operator === '<>') return !isEqual(left, right);
  if (left === undefined || right === undefined) return false;
  if (operator === '=') return isEqual(left, right);
  if (!isSameType(left, right)) return false;
  const order = compare(left, right);
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      throw new UnknownExpression(operator);
  }
};

const conditions = new Map<string, Test>();

/** `undefined` means that the item does not exist. */
export const isMet = (text: string | undefined, item: Item | undefined, given: Names): boolean => {
  if (text === undefined) return true;
  const names = given.ExpressionAttributeNames ?? {};
  const id = `${text}\n${JSON.stringify(names)}`;
  let test = conditions.get(id);
  if (!test) {
    test = new ConditionParser(text, names).whole();
    conditions.set(id, test);
  }
  return test(item ?? ({} as Item), given.ExpressionAttributeValues ?? {});
};

export interface UpdateClause {
  verb: 'SET' | 'ADD' | 'DELETE' | 'REMOVE';
  path: Path;
  value: string | undefined;
}

const CLAUSE = /\b(SET|ADD|DELETE|REMOVE)\s+/;
const updates = new Map<string, UpdateClause[]>();

/** @throws ValidationException if two clauses change one attribute, or an attribute and a part of it. */
const refuseOverlaps = (clauses: readonly UpdateClause[]): void => {
  const paths = clauses.map(({ path }) => path.join('\0')).sort();
  for (const [at, path] of paths.entries())
    if (at > 0 && `${path}\0`.startsWith(`${paths[at - 1]}\0`)) throw validation('Two document paths overlap');
};

export const updateClauses = (text: string, names: Record<string, string>): UpdateClause[] => {
  const id = `${text}\n${JSON.stringify(names)}`;
  const known = updates.get(id);
  if (known) return known;
  const parts = text.split(CLAUSE);
  if (parts.shift()?.trim() !== '') throw new UnknownExpression(text);
  const clauses: UpdateClause[] = [];
  for (let n = 0; n < parts.length; n += 2) {
    const verb = parts[n] as UpdateClause['verb'];
    for (const one of parts[n + 1]!.split(',').map((part) => part.trim())) {
      const words = verb === 'SET' ? one.split(/\s*=\s*/) : one.split(/\s+/);
      if (words.length !== (verb === 'REMOVE' ? 1 : 2)) throw new UnknownExpression(text);
      clauses.push({ verb, path: pathOf(words[0]!, names), value: words[1] });
    }
  }
  refuseOverlaps(clauses);
  updates.set(id, clauses);
  return clauses;
};
