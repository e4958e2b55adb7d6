/** What DynamoDB refuses for any stored items: unused parts of a request, empty keys, and items that are too large. */
import { validation } from './errors.ts';
import { itemBytes } from './item-size.ts';
import type { Item } from './values.ts';

const KB = 1024;
const ITEM_BYTES_MAX = 400 * KB;
const TRANSACTION_BYTES_MAX = 4 * KB * KB;

/** The parts of a request that contain expressions, and the names and values that they use. */
export interface Expressions {
  ConditionExpression?: string | undefined;
  UpdateExpression?: string | undefined;
  KeyConditionExpression?: string | undefined;
  ProjectionExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

const signs = new Map<string, ReadonlySet<string>>();

const signsIn = (text: string): ReadonlySet<string> => {
  const known = signs.get(text);
  if (known) return known;
  const found = new Set(text.match(/[#:]\w+/g));
  signs.set(text, found);
  return found;
};

let isUnusedRefused = true;

/** For a thread with a mutant, which takes a condition away and leaves its values. */
export const tolerateUnused = (): void => {
  isUnusedRefused = false;
};

/** @throws ValidationException if no expression uses a name or a value that is given. */
export const refuseUnused = (asked: Expressions): void => {
  if (!isUnusedRefused) return;
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = asked;
  const { ConditionExpression, UpdateExpression, KeyConditionExpression, ProjectionExpression } = asked;
  const text = [ConditionExpression, UpdateExpression, KeyConditionExpression, ProjectionExpression].join(' ');
  const used = signsIn(text);
  const unused = [...Object.keys(names ?? {}), ...Object.keys(values ?? {})].filter((sign) => !used.has(sign));
  if (unused.length > 0) throw validation(`unused in expressions: ${unused.join(', ')}`);
};

const KEYS = ['pk', 'sk', 'due_pk', 'due_sk'] as const;

/** @throws ValidationException if a part of the key is empty, of the table's or of the index's. */
export const refuseEmptyKey = (key: Readonly<Record<string, unknown>>): void => {
  for (const name of KEYS) if (key[name] === '') throw validation(`the key ${name} is empty`);
};

/**
 * Returns the item.
 * @throws ValidationException if it is larger than 400 KB, or contains an empty set or an empty key
 */
export const requireStorable = (item: Item): Item => {
  refuseEmptyKey(item);
  for (const [name, value] of Object.entries(item))
    if (value instanceof Set && value.size === 0) throw validation(`${name} is an empty set`);
  if (itemBytes(item) > ITEM_BYTES_MAX) throw validation('Item size has exceeded the maximum allowed size');
  return item;
};

/** @throws ValidationException if the items of a transaction are together larger than 4 MB. */
export const refuseLargeTransaction = (items: readonly Item[]): void => {
  const bytes = items.reduce((total, item) => total + itemBytes(item), 0);
  if (bytes > TRANSACTION_BYTES_MAX) throw validation('the transaction is larger than 4 MB');
};
