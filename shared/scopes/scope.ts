/**
 * Defines a scope: its rows, their keys, their filters, and its sync requests. Storage keys, list and document
 * endpoints, `filters` and `sync_metadata`, OpenAPI components and contract tests are all derived from this definition.
 */
import * as z from 'zod';
import { day, period } from '#shared/values/fields.ts';
import { hint } from '#shared/values/hint.ts';
import type { Statement } from '#shared/values/statements.ts';
import type { TenderRules } from '#shared/values/tender-beside.ts';

export type Row = Record<string, unknown>;

/**
 * Child rows belong to a parent row, and the API lists them below this row. Many child rows are packed into one stored
 * block, so that 20,000 child rows are cheap.
 */
export interface ChildDefinition<Child = Row> {
  /** Parsed field of the parent row that contains its child rows. Missing if the answer contains no child rows. */
  field: string;
  /** Schema of a child row as the API returns it. */
  listRow: z.ZodObject;
  /** Returns values that identify a child row within its parent. Equal child rows get a counter. */
  naturalKey(child: Child): readonly unknown[];
  /**
   * Returns the position of a child row. Lists are sorted by position in ascending order, and child rows without a
   * position come last.
   */
  position(child: Child): number | null;
  /** Fields that do not change while the child row has the same key, like `facts` of the scope. */
  facts?: readonly string[];
}

/** Defines how a row is recognized after the source has changed the number that is the row's key. */
export interface NumberedDefinition {
  /** Fields whose values are equal if two rows are the same document. */
  content: readonly string[];
  /**
   * Fields of `content` that all have different values if two rows are different documents. A correction by the source
   * never changes all these fields at once.
   */
  marks: readonly string[];
}

/**
 * Returns the amount that a row adds to a figure. Null counts as 0. Undefined means that this answer does not contain
 * the amount, and the stored amount stays.
 */
export type AmountOf<Parsed = Row> = { amount(row: Parsed): string | null | undefined }['amount'];

/** Totals that the source reports for a month, and how they are computed from the rows. */
export interface TotalsDefinition<Parsed = Row> {
  /** Fields that the functions below read. */
  fields: readonly string[];
  /** Returns the group of a row, with the same names and values as in the adapter's totals. */
  groupOf(row: Parsed): Readonly<Record<string, string>>;
  /** For each figure, the function that returns the amount of a row. The figure `rows` counts the rows. */
  figures: Readonly<Record<string, AmountOf<Parsed>>>;
  /** Name under which `groupOf` returns the account of the statement. */
  account?: string;
  /**
   * By figure, the reported figure with which its sum begins. For example, the sum for the closing balance begins with
   * the opening balance.
   */
  beginsWith?: Readonly<Record<string, string>>;
  /**
   * Facet values of rows that never move to another part or month. If the source reports the totals of all groups of
   * this part, and they equal the rows of a reading, stored rows of the part that the reading does not show are deleted.
   */
  neverMoves?: Readonly<Record<string, string>>;
}

/** Names of the fields that lead from one balance of an account to the next (`month-walk.rules.ts`). */
export interface WalkDefinition {
  account: string;
  /** Signed amount of the movement. */
  amount: string;
  /** Balance after the movement. */
  balance: string;
}

/** Returns the amount of a row for the figure that counts rows. */
export const eachRow = (): string => '1';

/** The data of a scope that an agent sees (shared/mcp). */
export interface AgentView {
  /** Fields of the list row in a search result, including `id`. */
  columns: readonly string[];
  /** Fields whose amounts are summed. */
  sums: readonly string[];
  /** Fields by which the sums are grouped. Each combination of their values has its own sums. */
  groups: readonly string[];
  /**
   * By field of `groups`, the values that mark subtracted groups. The amounts of such a group are positive, and a net
   * sum subtracts them from the amounts of the other groups.
   */
  subtracted?: Readonly<Record<string, readonly string[]>>;
}

export interface ScopeDefinition<Parsed = Row> {
  /** Code of the source, e.g. `tax`. */
  source: string;
  /** Name of the scope, e.g. `rcv`. */
  name: string;
  label: string;
  /** Last path segment of the scope's list under a connection. Null if the list is not under a connection. */
  resource: string | null;
  /** Path of the scope's list under `/api` if the list is not under a connection. */
  listPath?: string;
  /** True if the scope is read by month; false for point-in-time scopes. */
  periodic: boolean;
  /** Schema of the parser's output. Every row is validated against it before it is stored. */
  parsed: z.ZodObject;
  /** Schema of a list row as the API returns it. */
  listRow: z.ZodObject;
  /** Schema of the full document as the API returns it. Null if only list rows are stored. */
  fullRow: z.ZodObject | null;
  /**
   * Returns values that identify the same document over all syncs. The row's stable id is derived from these values.
   */
  naturalKey(row: Parsed): readonly string[];
  /** Returns the Santiago day for the order of the list and the filters `from` and `to`. Null if the row has no day. */
  eventDay(row: Parsed): string | null;
  /** Returns the instant that orders rows within a day, or null if the source gives no instant. */
  eventInstant(row: Parsed): string | null;
  /** Filter fields with few values. The combination of these values is part of a row's key. */
  facets: Readonly<Record<string, readonly [string, ...string[]]>>;
  /** Filter fields that are part of a row's key and whose values are not known in advance. */
  openFacets?: readonly string[];
  /** Fields that `q` searches: texts, and tax ids. `exact`: the filter field that is compared as a whole. */
  search?: { texts: readonly string[]; ruts: readonly string[]; exact?: string };
  /**
   * Returns fields of the list row that are never stored, because they follow from other fields or change with every
   * sync. `syncedAt` is the time of the last sync of the row's period.
   */
  derived?(row: Parsed, syncedAt: string): Row;
  /**
   * Returns the statement of a row. Rows of an open statement are provisional until the closed statement replaces them.
   */
  statement?(row: Parsed): Statement;
  childRows?: ChildDefinition;
  /**
   * Where a stored row must be shown, otherwise it is reported: in the reading of its month, or, if its day may move, in
   * some month of the run. Absent if rows may be in months that the run does not read.
   */
  isShownIn?: 'month' | 'run';
  /** How the stored movements of a month are checked as one trail of balances. */
  walk?: WalkDefinition;
  /**
   * Fields of the list row that do not change while the row has the same key. A reading that changes them in many rows
   * is not stored at once (ADR 36). All other fields may change.
   */
  facts?: readonly string[];
  /** How renumbered rows are recognized, for scopes that are read by month and store only list rows. */
  numbered?: NumberedDefinition;
  /** The reported totals, for scopes that are read by month and whose source reports totals. */
  totals?: TotalsDefinition<Parsed>;
  /** How a reading is compared with the stored rows, for scopes that are read by tender. */
  tender?: TenderRules;
  /** Schema of the list's query, including `limit` and `offset`. Must be convertible to JSON Schema. */
  filters: z.ZodObject;
  /** Schema of `metadata` in the sync request. Must be convertible to JSON Schema. */
  syncMetadata: z.ZodObject;
  /** Null if agents may not read the scope. */
  agent: AgentView | null;
  /** Path parameter and error code of the document endpoint. Null if there is no such endpoint. */
  document: { idParam: string; notFound: string } | null;
}

/** A scope whose amounts are summed. */
export interface SummedScope extends ScopeDefinition {
  agent: AgentView;
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
    // The largest exact integer. Above this number, two different integers may be the same JavaScript number.
    .meta({ maximum: Number.MAX_SAFE_INTEGER }),
};

export const periodFilter = { period: period().optional().describe('Only rows of this month (YYYY-MM).') };

/** Returns the query parameters `from` and `to`: days in America/Santiago, both inclusive. */
export const dayRange = (eventDate: string) => ({
  from: day().optional().describe(`First day of ${eventDate} (America/Santiago, inclusive).`),
  to: day().optional().describe(`Last day of ${eventDate} (America/Santiago, inclusive).`),
});

/** True if `from` is not after `to`. JSON Schema cannot express this rule of a list's filters. */
export const daysInOrder = (query: Record<string, unknown>): boolean =>
  typeof query.from !== 'string' || typeof query.to !== 'string' || query.from <= query.to;
export const DAYS_IN_ORDER = { path: ['from'], message: 'must not be after to' };

const SEARCH_CHARS_MAX = 64;

/**
 * Returns the schema of the query parameter `q`. The length of `q` is counted in code points, as in JSON Schema,
 * instead of UTF-16 units.
 */
export const search = (description: string, examples: readonly string[]) =>
  z
    .string()
    .regex(/^[\s\S]{1,64}$/u, `must have 1 to ${SEARCH_CHARS_MAX} characters`)
    .meta({ minLength: 1, maxLength: SEARCH_CHARS_MAX, examples: [...examples] })
    .describe(`${description} Case and accents do not matter.`)
    .optional();

/**
 * Returns the query schema of a list by period: `period`, the scope's own filters, `from` and `to`, `limit` and
 * `offset`.
 */
export const listFilters = <const F extends z.core.$ZodLooseShape>(eventDate: string, own: F) =>
  z.strictObject({ ...periodFilter, ...own, ...dayRange(eventDate), ...page }).refine(daysInOrder, DAYS_IN_ORDER);

/** Direction of a document or payment, from the view of the connected company. */
export const DIRECTIONS = ['received', 'issued'] as const;
export const direction = () => z.enum(DIRECTIONS).describe('Seen from the connected company.');

export const PERIODS_MAX = 36;

/**
 * Returns the rule of the published schema that a request contains either a list or a range. `sync-input.ts` validates
 * the same rule.
 */
export const listOrRange = (list: string, from: string, to: string) => ({
  dependentRequired: { [from]: [to], [to]: [from] },
  not: { required: [list, from] },
});

/** `metadata` of a sync of a scope that is read by month. */
export const periodicSyncMetadata = z
  .strictObject({
    periods: z.array(period()).min(1).max(PERIODS_MAX).optional().describe('Months to synchronize.'),
    from_period: period().optional().describe('First month; needs to_period.').meta(hint('months.first')),
    to_period: period().optional().describe('Last month; needs from_period.').meta(hint('months.last')),
  })
  .meta(listOrRange('periods', 'from_period', 'to_period'));

/** `metadata` of a sync of a point-in-time scope, which has no options. */
export const noSyncMetadata = z.strictObject({});

export const scopeId = (scope: { source: string; name: string }): string => `${scope.source}.${scope.name}`;

type RowCallbacks = 'naturalKey' | 'eventDay' | 'eventInstant' | 'derived' | 'statement' | 'childRows' | 'totals';

/** Type of a scope for code that handles rows of any scope. Its callbacks take `Row`. */
type DefinedScope<Own, Parsed> = Omit<Own, RowCallbacks | 'parsed'> & { parsed: Parsed } & {
  [Name in RowCallbacks & keyof Own]: NonNullable<ScopeDefinition[Name]>;
};

/** Defines a scope. Its callbacks get rows of the type that the `parsed` schema infers. */
export const defineScope = <const Parsed extends z.ZodObject, const Own>(
  scope: Own & { parsed: Parsed } & Omit<ScopeDefinition<z.infer<Parsed>>, 'parsed'>,
): DefinedScope<Own, Parsed> => scope as unknown as DefinedScope<Own, Parsed>;
