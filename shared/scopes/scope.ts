/**
 * One schema per scope: what its rows are, where they live, how they are filtered and asked for. Storage keys, list
 * and document endpoints, `filters` and `sync_metadata`, OpenAPI components and contract tests all derive from it.
 */
import * as z from 'zod';
import { day, period } from '#shared/values/fields.ts';
import type { Statement } from '#shared/values/statements.ts';
import type { TenderRules } from '#shared/values/tender-beside.ts';

export type Row = Record<string, unknown>;

/** Rows that belong to a row and are listed below it. Stored in packed blocks, so that 20,000 of them are cheap. */
export interface ChildDefinition<Child = Row> {
  /** Parsed field of the owning row that holds them all; absent: this answer does not carry them. */
  field: string;
  /** A part as served. */
  listRow: z.ZodObject;
  /** What makes two child rows of one row the same; equal ones are told apart by their number among equals. */
  naturalKey(child: Child): readonly unknown[];
  /** Lists are ordered by it, ascending; rows without one come last. */
  position(child: Child): number | null;
}

/** Rows whose key is the source's own number: by what they are known when the source numbers them anew. */
export interface NumberedDefinition {
  /** Fields that are equal where two rows are the same thing. */
  content: readonly string[];
  /** Fields of those that all differ where two rows are not, and that a correction does not change together. */
  marks: readonly string[];
}

/** What a row adds to a figure. Null counts as 0; undefined: this answer does not carry it, and what is stored stays. */
export type AmountOf<Parsed = Row> = { amount(row: Parsed): string | null | undefined }['amount'];

/** Totals that the source tells of a month, and the rows that must come to them. */
export interface TotalsDefinition<Parsed = Row> {
  /** Fields that the functions below read. */
  fields: readonly string[];
  /** Of which group a row is: names and values as in the totals that the adapter tells. */
  groupOf(row: Parsed): Readonly<Record<string, string>>;
  /** Figure → what a row adds to it. `rows` is the number of rows. */
  figures: Readonly<Record<string, AmountOf<Parsed>>>;
  /** Name in a group of the account that a statement is of. */
  account?: string;
  /** Figure → the told figure that its sum begins with: a closing balance begins with the opening one. */
  beginsWith?: Readonly<Record<string, string>>;
}

/** The figure of how many rows there are. */
export const eachRow = (): string => '1';

/** What a person's agent is shown of a scope (shared/mcp). */
export interface AgentView {
  /** Fields of the list row that a search answers, `id` among them. */
  columns: readonly string[];
  /** Fields whose amounts are added up. */
  sums: readonly string[];
  /** Fields by whose values sums are kept apart: amounts of two groups are another kind of money. */
  groups: readonly string[];
  /** Values of a group's field whose amounts are positive and count against the others. */
  subtracted?: Readonly<Record<string, readonly string[]>>;
}

export interface ScopeDefinition<Parsed = Row> {
  /** Source code, e.g. `tax`. */
  source: string;
  /** Scope name, e.g. `rcv`. */
  name: string;
  label: string;
  /** Last path segment of the list under a connection; null where data are not read by connection. */
  resource: string | null;
  /** Path of its list under `/api`, where that is below no connection. */
  listPath?: string;
  /** Does the scope come by month? Point-in-time scopes do not. */
  periodic: boolean;
  /** What a parser must give for each row; every row is checked against it before it is stored. */
  parsed: z.ZodObject;
  /** A row of the list, as served. */
  listRow: z.ZodObject;
  /** The full document, as served; null where the list row is all there is. */
  fullRow: z.ZodObject | null;
  /** What makes two rows the same document, over all syncs: the stable id is derived from it. */
  naturalKey(row: Parsed): readonly string[];
  /** Santiago day by which the list is ordered and `from`/`to` filter; null when the row has none. */
  eventDay(row: Parsed): string | null;
  /** Instant that orders rows within a day, where the source gives one. */
  eventInstant(row: Parsed): string | null;
  /** Fields with few values that lists filter by; their combination is part of where a row lives. */
  facets: Readonly<Record<string, readonly [string, ...string[]]>>;
  /** Fields with values not known beforehand that decide where a row lives: lists may filter by them, too. */
  openFacets?: readonly string[];
  /** Fields that `q` looks in: texts, and a tax id. */
  search?: { texts: readonly string[]; rut: string };
  /**
   * Fields of the list row that are never stored: they follow from others, or move with every sync and would make a
   * row look changed. `syncedAt`: when the row's period was last synchronized.
   */
  derived?(row: Parsed, syncedAt: string): Row;
  /** Rows of an open statement are provisional until the closed one replaces them. */
  statement?(row: Parsed): Statement;
  childRows?: ChildDefinition;
  /** A reading of a month shows every row of it, and none leaves it: a stored row that is not shown is told. */
  showsAll?: boolean;
  /** Of scopes that come by month and are kept as listed alone. */
  numbered?: NumberedDefinition;
  /** Of scopes that come by month and whose source tells totals. */
  totals?: TotalsDefinition<Parsed>;
  /** Of scopes that come by tender: a reading beside what is stored. */
  tender?: TenderRules;
  /** JSON-Schema-able query of the list, `limit` and `offset` included. */
  filters: z.ZodObject;
  /** JSON-Schema-able `metadata` of the sync request. */
  syncMetadata: z.ZodObject;
  /** Null where agents read nothing of it. */
  agent: AgentView | null;
  /** How a document is addressed and missed; null where there is no such endpoint. */
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
    // As far as an integer goes: beyond, two of them are the same number.
    .meta({ maximum: Number.MAX_SAFE_INTEGER }),
};

export const periodFilter = { period: period().optional().describe('Only rows of this month (YYYY-MM).') };

/** `from` and `to`, both inclusive, America/Santiago. */
export const dayRange = (eventDate: string) => ({
  from: day().optional().describe(`First day of ${eventDate} (America/Santiago, inclusive).`),
  to: day().optional().describe(`Last day of ${eventDate} (America/Santiago, inclusive).`),
});

/** Refinement of a list's filters that no JSON Schema can say. */
export const daysInOrder = (query: Record<string, unknown>): boolean =>
  typeof query.from !== 'string' || typeof query.to !== 'string' || query.from <= query.to;
export const DAYS_IN_ORDER = { path: ['from'], message: 'must not be after to' };

const SEARCH_CHARS_MAX = 64;

/** `q`. Counted as a JSON Schema counts: code points, not UTF-16 units. */
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

/** Which way a document or money went, seen from the connected company. */
export const DIRECTIONS = ['received', 'issued'] as const;
export const direction = () => z.enum(DIRECTIONS).describe('Seen from the connected company.');

export const PERIODS_MAX = 36;

/** What the published schema says of a list beside a range; `sync-input.ts` judges the same. */
export const listOrRange = (list: string, from: string, to: string) => ({
  dependentRequired: { [from]: [to], [to]: [from] },
  not: { required: [list, from] },
});

/** `metadata` of a sync of a scope that comes by month. */
export const periodicSyncMetadata = z
  .strictObject({
    periods: z.array(period()).min(1).max(PERIODS_MAX).optional().describe('Months to synchronize.'),
    from_period: period().optional().describe('First month; needs to_period.'),
    to_period: period().optional().describe('Last month; needs from_period.'),
  })
  .meta(listOrRange('periods', 'from_period', 'to_period'));

/** `metadata` of a sync of a point-in-time scope: there is nothing to choose. */
export const noSyncMetadata = z.strictObject({});

export const scopeId = (scope: { source: string; name: string }): string => `${scope.source}.${scope.name}`;

type RowCallbacks = 'naturalKey' | 'eventDay' | 'eventInstant' | 'derived' | 'statement' | 'childRows' | 'totals';

/** A scope as its readers see it: they hold rows of any scope, so its callbacks take `Row`. */
type DefinedScope<Own, Parsed> = Omit<Own, RowCallbacks | 'parsed'> & { parsed: Parsed } & {
  [Name in RowCallbacks & keyof Own]: NonNullable<ScopeDefinition[Name]>;
};

/** In the definition, callbacks get rows of the type that the `parsed` schema infers. */
export const defineScope = <const Parsed extends z.ZodObject, const Own>(
  scope: Own & { parsed: Parsed } & Omit<ScopeDefinition<z.infer<Parsed>>, 'parsed'>,
): DefinedScope<Own, Parsed> => scope as unknown as DefinedScope<Own, Parsed>;
