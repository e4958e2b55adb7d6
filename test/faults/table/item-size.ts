/** Size of an item as AWS documents it: names and values in UTF-8, numbers by their digits, a few bytes for containers. */
import type { Item } from './values.ts';

const NUMBER_BYTES_MAX = 21;

/** One byte for two digits on each side of the decimal point, without leading and trailing zeros, plus one byte. */
const numberBytes = (value: number): number => {
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  const significant = mantissa.replace('.', '').replace(/0+$/, '').length;
  const beforePoint = Math.min(significant, Math.max(0, Number(exponent) + 1));
  const pairs = Math.ceil(beforePoint / 2) + Math.ceil((significant - beforePoint) / 2);
  return Math.min(NUMBER_BYTES_MAX, pairs + 1 + (value < 0 ? 1 : 0));
};

const sum = (parts: Iterable<number>): number => {
  let total = 0;
  for (const part of parts) total += part;
  return total;
};

const CONTAINER_BYTES = 3;
const ELEMENT_BYTES = 1;

const valueBytes = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return numberBytes(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Set) return sum([...value].map(valueBytes));
  if (Array.isArray(value)) return CONTAINER_BYTES + sum(value.map((each) => ELEMENT_BYTES + valueBytes(each)));
  if (value === null || typeof value !== 'object') return 1;
  return CONTAINER_BYTES + sum(Object.entries(value).map(([name, inner]) => ELEMENT_BYTES + fieldBytes(name, inner)));
};

const fieldBytes = (name: string, value: unknown): number =>
  value === undefined ? 0 : Buffer.byteLength(name) + valueBytes(value);

export const itemBytes = (item: Item): number =>
  sum(Object.entries(item).map(([name, value]) => fieldBytes(name, value)));
