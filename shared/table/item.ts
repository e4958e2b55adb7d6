/**
 * Builds the codec of a stored entity. The entity's fields are camelCase in code and snake_case in the table; only this
 * file knows both spellings. The schema validates an item that is read: an invalid item is an error, not a wrong value.
 */
import * as z from 'zod';
import { AppError } from '#shared/values/app-error.ts';
import type { Values } from './expressions.ts';

/** A stored item does not fit its schema. Names the entity and its fields, never a value. */
export class StoredItemInvalid extends AppError {
  constructor(entity: string, issues: readonly z.core.$ZodIssue[]) {
    super(`stored ${entity}: ${[...new Set(issues.map(({ path }) => String(path[0])))].join(', ')}`);
  }
}

/** A binary attribute. */
export const bytes = (): z.ZodType<Uint8Array, Uint8Array> =>
  z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** Schema of a stored entity. It validates and does not transform, so values stay as they were read. */
export type StoredSchema<T> = z.ZodObject & z.ZodType<T, T>;

export interface ItemOptions<F extends PropertyKey> {
  /** Stored attribute names by field, for fields whose attribute does not have the field's name in snake_case. */
  names?: { readonly [field in F]?: string };
  /** Fields that are null in code and absent in the table. */
  absent?: readonly F[];
  /** Fields that are lists of distinct strings in code and string sets in the table, absent if empty. */
  sets?: readonly F[];
}

export interface ItemCodec<T> {
  readonly entity: string;
  /** The stored form. A test compares it with the forms of earlier releases. */
  readonly form: { schema: StoredSchema<T>; options: ItemOptions<keyof T> };
  readonly attributes: readonly string[];
  toItem(entity: T): Values;
  /** Returns the stored form of only the changed fields. Undefined fields are left out. */
  toChanges(fields: { readonly [F in keyof T]?: T[F] | undefined }): Values;
  /**
   * Returns the entity in a stored item.
   * @throws StoredItemInvalid
   */
  fromItem(item: Readonly<Values>): T;
}

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const item = <T>(entity: string, schema: StoredSchema<T>, options: ItemOptions<keyof T> = {}): ItemCodec<T> => {
  const { names = {}, absent = [], sets = [] } = options as ItemOptions<string>;
  const attributes = Object.keys(schema.shape).map((field) => [field, names[field] ?? toSnakeCase(field)] as const);
  const stored = (field: string, value: unknown): unknown => {
    if (value === null && absent.includes(field)) return undefined;
    if (!sets.includes(field)) return value;
    return (value as string[]).length === 0 ? undefined : new Set(value as string[]);
  };
  const read = (field: string, value: unknown): unknown => {
    if (sets.includes(field)) return [...((value as ReadonlySet<string> | undefined) ?? [])];
    return value === undefined && absent.includes(field) ? null : value;
  };
  const toChanges = (fields: object): Values => {
    const given = fields as Readonly<Values>;
    const values: Values = {};
    for (const [field, attribute] of attributes) {
      const value = given[field] === undefined ? undefined : stored(field, given[field]);
      if (value !== undefined) values[attribute] = value;
    }
    return values;
  };
  return {
    entity,
    form: { schema, options },
    attributes: attributes.map(([, attribute]) => attribute),
    toItem: (entity) => toChanges(entity as object),
    toChanges,
    fromItem(values) {
      const fields: Values = {};
      for (const [field, attribute] of attributes) {
        const value = read(field, values[attribute]);
        if (value !== undefined) fields[field] = value;
      }
      const judged = schema.safeParse(fields);
      if (!judged.success) throw new StoredItemInvalid(entity, judged.error.issues);
      return fields as T;
    },
  };
};
