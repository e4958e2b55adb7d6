/**
 * One definition per scope: its rows, their keys, their filters, and its sync requests. Storage keys, list and document
 * endpoints, `filters` and `sync_metadata`, OpenAPI components and contract tests are all derived from it.
 */
import * as z from 'zod';
import { day, period } from '#shared/values/fields.ts';
import type { Statement } from '#shared/values/statements.ts';
import type { TenderRules } from '#shared/values/tender-beside.ts';

export type Row = Record<string, unknown>;

/**
 * Child rows, which belong to a row and are listed below it. They are stored in packed blocks, so that 20,000 of them
 * are cheap.
 */
export interface ChildDefinition<Child = Row> {
  /** Parsed field of the parent row that contains its child rows. Absent in an answer without child rows. */
  field: string;
  /** A child row as the API returns it. */
  listRow: z.ZodObject;
  /** Values that identify a child row within its parent. Equal rows get a counter. */
  naturalKey(child: Child): readonly unknown[];
  /** Lists are sorted by it in ascending order. Rows without a position come last. */
  position(child: Child): number | null;
}

/** For rows whose key is the source's own number: how a row is recognized if the source numbers it differently. */
export interface NumberedDefinition {
  /** Fields that are equal if two rows are the same. */
  content: readonly string[];
  /**
   * Those of these fields that all differ if two rows are different, and that a correction does not change together.
   */
  marks: readonly string[];
}

/**
 * The amount that a row adds to a figure. Null counts as 0. Undefined means that this answer does not contain the
 * amount, and the stored one stays.
 */
export type AmountOf<Parsed = Row> = { amount(row: Parsed): string | null | undefined }['amount'];

/** Totals that the source reports for a month, and how they are computed from the rows. */
export interface TotalsDefinition<Parsed = Row> {
  /** Fields that the functions below read. */
  fields: readonly string[];
  /** The group of a row, with the same names and values as in the adapter's totals. */
  groupOf(row: Parsed): Readonly<Record<string, string>>;
  /** The amount that a row adds, by figure. The figure `rows` counts the rows. */
  figures: Readonly<Record<string, AmountOf<Parsed>>>;
  /** Name within a group of the statement's account. */
  account?: string;
  /** For a figure whose sum begins with another reported figure, e.g. the closing balance with the opening balance. */
  beginsWith?: Readonly<Record<string, string>>;
}

/** Amount for the figure that counts rows. */
export const eachRow = (): string => '1';

/** What an agent sees of a scope (shared/mcp). */
export interface AgentView {
  /** Fields of the list row in a search result, including `id`. */
  columns: readonly string[];
  /** Fields whose amounts are summed. */
  sums: readonly string[];
  /** Fields whose values separate the sums. Amounts of two groups are never added. */
  groups: readonly string[];
  /** Values of a group's field whose amounts are positive and are subtracted from the others. */
  subtracted?: Readonly<Record<string, readonly string[]>>;
}

export interface ScopeDefinition<Parsed = Row> {
  /** Source code, e.g. `tax`. */
  source: string;
  /** Scope name, e.g. `rcv`. */
  name: string;
  label: string;
  /** Last path segment of the list under a connection. Null if the data is not read by connection. */
  resource: string | null;
  /** Path of the list under `/api` if it is not below a connection. */
  listPath?: string;
  /** True if the scope is read by month; false for point-in-time scopes. */
  periodic: boolean;
  /** Schema of the parser's output. Every row is validated against it before it is stored. */
  parsed: z.ZodObject;
  /** A list row as the API returns it. */
  listRow: z.ZodObject;
  /** The full document as the API returns it. Null if only list rows are stored. */
  fullRow: z.ZodObject | null;
  /** Values that identify the same document over all syncs. The stable id is derived from them. */
  naturalKey(row: Parsed): readonly string[];
  /** Santiago day for the order of the list and the filters `from` and `to`. Null if the row has no day. */
  eventDay(row: Parsed): string | null;
  /** Instant that orders rows within a day, if the source gives one. */
  eventInstant(row: Parsed): string | null;
  /** Filter fields with few values. Their combination is part of a row's key. */
  facets: Readonly<Record<string, readonly [string, ...string[]]>>;
  /** Fields that are part of a row's key and whose values are not known in advance. Lists may also filter by them. */
  openFacets?: readonly string[];
  /** Fields that `q` searches: texts, and a tax id. */
  search?: { texts: readonly string[]; rut: string };
  /**
   * Fields of the list row that are never stored, because they follow from others or change with every sync. `syncedAt`
   * is the time of the last sync of the row's period.
   */
  derived?(row: Parsed, syncedAt: string): Row;
  /** The statement of a row. Rows of an open statement are provisional until the closed one replaces them. */
  statement?(row: Parsed): Statement;
  childRows?: ChildDefinition;
  /**
   * True if a reading of a month shows all its rows and no row moves to another month. Then stored rows that are not
   * shown are reported.
   */
  showsAll?: boolean;
  /** For scopes that are read by month and store only list rows. */
  numbered?: NumberedDefinition;
  /** For scopes that are read by month and whose source reports totals. */
  totals?: TotalsDefinition<Parsed>;
  /** For scopes that are read by tender: how a reading is compared with the stored rows. */
  tender?: TenderRules;
  /** Query of the list, including `limit` and `offset`. Must be convertible to JSON Schema. */
  filters: z.ZodObject;
  /** `metadata` of the sync request. Must be convertible to JSON Schema. */
  syncMetadata: z.ZodObject;
  /** Null if agents may not read the scope. */
  agent: AgentView | null;
  /** Path parameter and error code of the document endpoint. Null if there is no such endpoint. */
  document: { idParam: string; notFound: string } | null;
}

export const LIMIT_MAX = 200;
export const LIMIT_DEFAULT = 50;

/** `limit` and `offset` of every paginated list. */
export const page = {
  limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).describe('Page size.'),
  offset: z
    .int()
    .min(0)
    .default(0)
    .describe('Rows to skip.')
    // The largest exact integer. Above it, two integers may be the same number.
    .meta({ maximum: Number.MAX_SAFE_INTEGER }),
};

export const periodFilter = { period: period().optional().describe('Only rows of this month (YYYY-MM).') };

/** `from` and `to`, both inclusive, in America/Santiago. */
export const dayRange = (eventDate: string) => ({
  from: day().optional().describe(`First day of ${eventDate} (America/Santiago, inclusive).`),
  to: day().optional().describe(`Last day of ${eventDate} (America/Santiago, inclusive).`),
});

/** A rule of a list's filters that JSON Schema cannot express. */
export const daysInOrder = (query: Record<string, unknown>): boolean =>
  typeof query.from !== 'string' || typeof query.to !== 'string' || query.from <= query.to;
export const DAYS_IN_ORDER = { path: ['from'], message: 'must not be after to' };

const SEARCH_CHARS_MAX = 64;

/** `q`. Its length is counted in code points, as in JSON Schema, instead of UTF-16 units. */
export const search = (description: string, examples: readonly string[]) =>
  z
    .string()
    .regex(/^[\s\S]{1,64}$/u, `must have 1 to ${SEARCH_CHARS_MAX} characters`)
    .meta({ minLength: 1, maxLength: SEARCH_CHARS_MAX, examples: [...examples] })
    .describe(`${description} Case and accents do not matter.`)
    .optional();

/** Query of a list by period: `period`, the scope's own filters, `from` and `to`, `limit` and `offset`. */
export const listFilters = <const F extends z.core.$ZodLooseShape>(eventDate: string, own: F) =>
  z.strictObject({ ...periodFilter, ...own, ...dayRange(eventDate), ...page }).refine(daysInOrder, DAYS_IN_ORDER);

/** Direction of a document or payment, from the view of the connected company. */
export const DIRECTIONS = ['received', 'issued'] as const;
export const direction = () => z.enum(DIRECTIONS).describe('Seen from the connected company.');

export const PERIODS_MAX = 36;

/** The rule "a list or a range" in the published schema. `sync-input.ts` validates the same rule. */
export const listOrRange = (list: string, from: string, to: string) => ({
  dependentRequired: { [from]: [to], [to]: [from] },
  not: { required: [list, from] },
});

/** `metadata` of a sync of a scope that is read by month. */
export const periodicSyncMetadata = z
  .strictObject({
    periods: z.array(period()).min(1).max(PERIODS_MAX).optional().describe('Months to synchronize.'),
    from_period: period().optional().describe('First month; needs to_period.'),
    to_period: period().optional().describe('Last month; needs from_period.'),
  })
  .meta(listOrRange('periods', 'from_period', 'to_period'));

/** `metadata` of a sync of a point-in-time scope, which has no options. */
export const noSyncMetadata = z.strictObject({});

export const scopeId = (scope: { source: string; name: string }): string => `${scope.source}.${scope.name}`;

type RowCallbacks = 'naturalKey' | 'eventDay' | 'eventInstant' | 'derived' | 'statement' | 'childRows' | 'totals';

/** A scope for code that handles rows of any scope, so its callbacks take `Row`. */
type DefinedScope<Own, Parsed> = Omit<Own, RowCallbacks | 'parsed'> & { parsed: Parsed } & {
  [Name in RowCallbacks & keyof Own]: NonNullable<ScopeDefinition[Name]>;
};

/** Defines a scope. Its callbacks get rows of the type that the `parsed` schema infers. */
export const defineScope = <const Parsed extends z.ZodObject, const Own>(
  scope: Own & { parsed: Parsed } & Omit<ScopeDefinition<z.infer<Parsed>>, 'parsed'>,
): DefinedScope<Own, Parsed> => scope as unknown as DefinedScope<Own, Parsed>;
