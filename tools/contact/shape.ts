/** The shape of an answer: which fields it has, and of which kinds their values are. Pure; no value is in a shape. */
import { type KindCounts, nameKind } from './value-kinds.ts';

export interface FieldShape {
  kinds: KindCounts;
  /** Fewest and most characters of texts. */
  text?: [least: number, most: number];
  /** Values of a closed list that the documents name. */
  codes?: KindCounts;
}

/** Fields by path. `objects` counts how often the object that has the fields was seen, by its path. */
export interface BodyShape {
  kind: string;
  /** Signs of pages that come instead of data. */
  signs: string[];
  objects: Record<string, number>;
  fields: Record<string, FieldShape>;
}

const increase = (counts: KindCounts, name: string, by = 1): void => {
  counts[name] = (counts[name] ?? 0) + by;
};

/** Returns how often each name occurs, in the order of the names. */
export const countNames = (names: readonly string[]): KindCounts => {
  const counts: KindCounts = {};
  for (const name of names.toSorted()) increase(counts, name);
  return counts;
};

export const newShape = (kind: string): BodyShape => ({ kind, signs: [], objects: {}, fields: {} });

export const addObject = (shape: BodyShape, path: string): void => increase(shape.objects, path);

/** @param codes closed lists by name of the field; a value in such a list is shown */
export const addField = (
  shape: BodyShape,
  path: string,
  value: unknown,
  codes: Readonly<Record<string, ReadonlySet<string>>> = {},
): void => {
  const field = shape.fields[path] ?? { kinds: {} };
  shape.fields[path] = field;
  const kind = nameKind(value);
  increase(field.kinds, kind);
  if (kind === 'text') {
    const { length } = value as string;
    const [least, most] = field.text ?? [length, length];
    field.text = [Math.min(least, length), Math.max(most, length)];
  }
  const list = codes[path.slice(path.lastIndexOf('.') + 1)];
  if (!list?.has(String(value))) return;
  field.codes = field.codes ?? {};
  increase(field.codes, String(value));
};

const mergeCounts = (a: KindCounts, b: KindCounts): KindCounts => {
  const merged = { ...a };
  for (const [name, count] of Object.entries(b)) increase(merged, name, count);
  return merged;
};

const mergeField = (a: FieldShape, b: FieldShape): FieldShape => {
  const lengths = [a.text, b.text].filter((one) => one !== undefined);
  return {
    kinds: mergeCounts(a.kinds, b.kinds),
    ...(lengths.length > 0 && {
      text: [Math.min(...lengths.map(([least]) => least)), Math.max(...lengths.map(([, most]) => most))],
    }),
    ...((a.codes ?? b.codes) && { codes: mergeCounts(a.codes ?? {}, b.codes ?? {}) }),
  };
};

/** Returns what both shapes show. Both must be of one kind. */
export const mergeShapes = (a: BodyShape, b: BodyShape): BodyShape => {
  const fields = { ...a.fields };
  for (const [path, field] of Object.entries(b.fields)) {
    const known = fields[path];
    fields[path] = known ? mergeField(known, field) : field;
  }
  return {
    kind: a.kind,
    signs: [...new Set([...a.signs, ...b.signs])].sort(),
    objects: mergeCounts(a.objects, b.objects),
    fields,
  };
};

/** Number of values that were seen of a field. */
export const seenTimes = ({ kinds }: FieldShape): number => Object.values(kinds).reduce((sum, count) => sum + count, 0);

/** Path of the object that has the field. */
export const readParentPath = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));
