/** Reads the filters of a scope from the scope's JSON Schema, and the filters' values from the page's address. */

export type FilterKind = 'choice' | 'period' | 'day' | 'switch' | 'text';

export interface Filter {
  name: string;
  kind: FilterKind;
  values: readonly string[];
  maxLength: number | undefined;
  /** Example value that the empty field shows; undefined if the schema has no example. */
  example: string | undefined;
}

interface Property {
  type?: string;
  enum?: string[];
  const?: unknown;
  format?: string;
  pattern?: string;
  maxLength?: number;
  examples?: unknown[];
}

/** Query parameters of the pager, which are not filters. */
const PAGING: ReadonlySet<string> = new Set(['limit', 'offset']);
/** Pattern of a month in every schema of the API. */
const MONTH = String.raw`^\d{4}-(0[1-9]|1[0-2])$`;

const kindOf = (property: Property): FilterKind => {
  if (property.enum) return 'choice';
  if (property.type === 'boolean') return 'switch';
  if (property.format === 'date') return 'day';
  return property.pattern === MONTH ? 'period' : 'text';
};

/** @param schema `filters` of a scope's descriptor; null when a list has no filters */
export const listFilters = (schema: Readonly<Record<string, unknown>> | null): Filter[] =>
  Object.entries((schema?.properties ?? {}) as Record<string, Property>)
    .filter(([name]) => !PAGING.has(name))
    .map(([name, property]) => ({
      name,
      kind: kindOf(property),
      values: property.enum ?? [],
      maxLength: property.maxLength,
      example: typeof property.examples?.[0] === 'string' ? property.examples[0] : undefined,
    }));

export const PAGE_SIZES = ['25', '50', '100', '200'] as const;
const PAGE_SIZE = '50';

/**
 * Returns a query with only the scope's filters. The page's address has further parameters, which are for the page
 * itself.
 */
export const filterQuery = (filters: readonly Filter[], address: URLSearchParams): URLSearchParams => {
  const query = new URLSearchParams();
  for (const { name } of filters) {
    const value = address.get(name);
    if (value) query.set(name, value);
  }
  return query;
};

/**
 * Returns the requested page. An invalid page size or offset in the address is replaced by the default, because a
 * person may have mistyped it.
 */
export const readPage = (address: URLSearchParams): { limit: number; offset: number } => {
  const limit = Number(PAGE_SIZES.find((size) => size === address.get('limit')) ?? PAGE_SIZE);
  const offset = /^\d{1,9}$/.test(address.get('offset') ?? '') ? Number(address.get('offset')) : 0;
  return { limit, offset };
};

/**
 * Returns the address with the changed filter. The offset and the open row are removed, because they belong to the
 * previous list.
 */
export const withFilter = (address: URLSearchParams, name: string, value: string): URLSearchParams => {
  const next = new URLSearchParams(address);
  if (value === '') next.delete(name);
  else next.set(name, value);
  next.delete('offset');
  next.delete('row');
  return next;
};

/** Returns the address without filters. The parameters for the view and the tender stay. */
export const withoutFilters = (filters: readonly Filter[], address: URLSearchParams): URLSearchParams =>
  filters.reduce((rest, { name }) => withFilter(rest, name, ''), address);
