/** What is known of a scope's data before any is read. `resources.gen.ts` is made of the API's description. */

/** How a value is shown and written to a file. `decimal` stays the string that the API sent: money is no float. */
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
  /** The full row, where there is more to see than in the list. */
  document: { path: string; fields: readonly Field[] } | null;
  /** Lists below a row: payments of a batch. */
  parts: readonly Part[];
  /** Months that hold rows. */
  periods: string | null;
  /** Answers a link to a file that lapses, where rows are files or list some. */
  download: string | null;
}

export type Row = Readonly<Record<string, unknown>>;
