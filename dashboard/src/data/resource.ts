/** Description of a scope's data. `resources.gen.ts` is generated from the API's description. */

/**
 * How a value is displayed and exported. A `decimal` stays the string that the API sent, because money is never a
 * float.
 */
export type FieldKind =
  | 'id'
  | 'text'
  | 'choice'
  | 'period'
  | 'day'
  | 'instant'
  | 'decimal'
  | 'integer'
  | 'boolean'
  | 'list'
  | 'object';

export interface Field {
  name: string;
  kind: FieldKind;
}

export interface Part {
  name: string;
  path: string;
  fields: readonly Field[];
}

export interface Resource {
  source: string;
  scope: string;
  /** Path of the list. */
  path: string;
  fields: readonly Field[];
  /** Path and fields of the full row; null if a full row has no more fields than the row in the list. */
  document: { path: string; fields: readonly Field[] } | null;
  /** Lists below a row, such as the payments of a batch. */
  parts: readonly Part[];
  /** Path that returns the months with rows; null if rows have no months. */
  periods: string | null;
  /** Path that returns the sums of the filtered rows; null if amounts are not summed. */
  totals: string | null;
  /** Path that returns a temporary link to a file; null if rows have no files. */
  download: string | null;
}

export type Row = Readonly<Record<string, unknown>>;
