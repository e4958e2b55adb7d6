/** Description of a scope's data. `resources.gen.ts` is generated from the API's description. */

/**
 * How a value is displayed and exported. `decimal` stays the string that the API sent, because money is never a float.
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
  /** Path and fields of the full row, if a full row has more fields than the list. */
  document: { path: string; fields: readonly Field[] } | null;
  /** Lists below a row, such as the payments of a batch. */
  parts: readonly Part[];
  /** Path that returns the months that have rows. */
  periods: string | null;
  /** Path that returns a temporary link to a file, if rows are files or list files. */
  download: string | null;
}

export type Row = Readonly<Record<string, unknown>>;
