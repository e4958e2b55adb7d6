/** Values of the table as JSON and back: bytes and sets of numbers or texts are told by a word. */

interface ReadableValue {
  binary?: string;
  set?: (string | number)[];
}

/** Of the value as it is: a buffer would have told itself in its own way before it came here. */
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

/** @param depth so deep each entry has a line of its own */
export const toText = (value: unknown, depth = 0, margin = ''): string => {
  if (depth === 0) return JSON.stringify(value, told);
  const inner = `${margin}  `;
  const lines = Object.entries(value as object).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${toText(each, depth - 1, inner)}`,
  );
  return `{\n${lines.join(',\n')}\n${margin}}`;
};
export const fromText = (text: string): unknown => JSON.parse(text, heard);
