/** Converts values of the table to JSON and back. In JSON, a key marks bytes and sets of numbers or texts. */

interface ReadableValue {
  binary?: string;
  set?: (string | number)[];
}

/**
 * Replacer for JSON.stringify that returns the value for JSON. It reads the original value from the object `this`,
 * because JSON.stringify has already converted a buffer before it calls the replacer.
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

/**
 * Returns the JSON text of a value.
 * @param depth number of levels at which each entry is on its own line
 */
export const toText = (value: unknown, depth = 0, margin = ''): string => {
  if (depth === 0) return JSON.stringify(value, told);
  const inner = `${margin}  `;
  const lines = Object.entries(value as object).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${toText(each, depth - 1, inner)}`,
  );
  return `{\n${lines.join(',\n')}\n${margin}}`;
};
export const fromText = (text: string): unknown => JSON.parse(text, heard);
