/** Values as the document client returns them, and how the table orders and measures them. */
import { deepStrictEqual } from 'node:assert';

export type Item = Record<string, unknown> & { pk: string; sk: string };

/** Copies a value on each write and read, so that callers share no object with the table. Drops `undefined`. */
export const copy = <T>(value: T): T => {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Uint8Array) return new Uint8Array(value) as T;
  if (value instanceof Set) return new Set(value) as T;
  if (Array.isArray(value)) return value.map(copy) as T;
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[name];
    if (inner !== undefined) result[name] = copy(inner);
  }
  return result as T;
};

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return 'binary';
  if (value instanceof Set) return 'set';
  return Array.isArray(value) ? 'list' : typeof value;
};

export const isSameType = (a: unknown, b: unknown): boolean => typeOf(a) === typeOf(b);

export const isEqual = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  try {
    deepStrictEqual(a, b);
    return true;
  } catch {
    return false;
  }
};

/** Strings are ordered by their UTF-8 bytes. For ASCII, which is nearly everything, JavaScript's order is the same. */
const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

export const compare = (a: unknown, b: unknown): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') {
    if (a === b) return 0;
    if (isAscii(a) && isAscii(b)) return a < b ? -1 : 1;
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  return Number.NaN;
};

/** `size()`: bytes of a text, bytes of a binary, elements of a set; a number has no size. */
export const sizeOf = (value: unknown): number | undefined => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Set) return value.size;
  if (Array.isArray(value)) return value.length;
  return value !== null && typeof value === 'object' ? Object.keys(value).length : undefined;
};
