/** Converts values of the table to JSON and back: bytes and sets of numbers or texts are marked by a key. */

interface ReadableValue {
  binary?: string;
  set?: (string | number)[];
}

/**
 * Returns the value for JSON. It reads the original value from the object, because JSON has already converted a buffer
 * at this point.
 */
function told(this: Record<string, unknown>, key: string): unknown {
  const value = this[key];
  if (value instanceof Set) return { set: [...value] } satisfies ReadableValue;
  return value instanceof Uint8Array
    ? ({ binary: Buffer.from(value).toString('base64') } satisfies ReadableValue)
    : value;
}

const heard = (_: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return value;
  const { binary, set } = value as ReadableValue;
  if (typeof binary === 'string') return new Uint8Array(Buffer.from(binary, 'base64'));
  return Array.isArray(set) ? new Set(set) : value;
};

/** @param depth number of levels at which each entry is on its own line */
export const toText = (value: unknown, depth = 0, margin = ''): string => {
  if (depth === 0) return JSON.stringify(value, told);
  const inner = `${margin}  `;
  const lines = Object.entries(value as object).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${toText(each, depth - 1, inner)}`,
  );
  return `{\n${lines.join(',\n')}\n${margin}}`;
};
export const fromText = (text: string): unknown => JSON.parse(text, heard);
